import CRDKafka

/// What a user may do with a topic or a group.
package struct KafkaRight: Sendable, Hashable {
    /// What the right is about.
    package enum Resource: Sendable, Hashable {
        case topic(String)
        case group(String)
    }

    /// What the user may do.
    package enum Operation: Sendable, Hashable {
        case read, write, describe
    }

    /// What the right is about.
    package var resource: Resource
    /// What the user may do.
    package var operation: Operation

    /// Creates a right.
    package init(_ operation: Operation, _ resource: Resource) {
        self.operation = operation
        self.resource = resource
    }
}

extension KafkaAdministrator {
    /// Gives a user rights.
    package func grant(_ rights: [KafkaRight], to user: String) throws(KafkaError) {
        for right in rights {
            let binding = binding(right, user)
            defer { rd_kafka_AclBinding_destroy(binding) }
            try request(RD_KAFKA_ADMIN_OP_CREATEACLS, "Cannot grant a right to \(user)") { options, answers in
                var bindings: [OpaquePointer?] = [binding]
                rd_kafka_CreateAcls(handle.pointer, &bindings, 1, options, answers)
            } errors: { answer, count in
                let results = rd_kafka_CreateAcls_result_acls(answer, &count)
                return UnsafeBufferPointer(start: results, count: count)
                    .map { (rd_kafka_error_code(rd_kafka_acl_result_error($0)), nil) }
            }
        }
    }

    /// Takes rights from a user that were granted before.
    package func revoke(_ rights: [KafkaRight], from user: String) throws(KafkaError) {
        for right in rights {
            let filter = filter(right, user)
            defer { rd_kafka_AclBinding_destroy(filter) }
            try request(RD_KAFKA_ADMIN_OP_DELETEACLS, "Cannot revoke a right of \(user)") { options, answers in
                var filters: [OpaquePointer?] = [filter]
                rd_kafka_DeleteAcls(handle.pointer, &filters, 1, options, answers)
            } errors: { answer, count in
                let results = rd_kafka_DeleteAcls_result_responses(answer, &count)
                return UnsafeBufferPointer(start: results, count: count)
                    .map { (rd_kafka_error_code(rd_kafka_DeleteAcls_result_response_error($0)), nil) }
            }
        }
    }

    private func binding(_ right: KafkaRight, _ user: String) -> OpaquePointer? {
        rd_kafka_AclBinding_new(
            right.resource.type,
            right.resource.name,
            RD_KAFKA_RESOURCE_PATTERN_LITERAL,
            "User:\(user)",
            "*",
            right.operation.code,
            RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
            nil,
            0
        )
    }

    private func filter(_ right: KafkaRight, _ user: String) -> OpaquePointer? {
        rd_kafka_AclBindingFilter_new(
            right.resource.type,
            right.resource.name,
            RD_KAFKA_RESOURCE_PATTERN_LITERAL,
            "User:\(user)",
            "*",
            right.operation.code,
            RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
            nil,
            0
        )
    }
}

extension KafkaRight.Resource {
    fileprivate var type: rd_kafka_ResourceType_t {
        switch self {
        case .topic: RD_KAFKA_RESOURCE_TOPIC
        case .group: RD_KAFKA_RESOURCE_GROUP
        }
    }

    fileprivate var name: String {
        switch self {
        case .topic(let name), .group(let name): name
        }
    }
}

extension KafkaRight.Operation {
    fileprivate var code: rd_kafka_AclOperation_t {
        switch self {
        case .read: RD_KAFKA_ACL_OPERATION_READ
        case .write: RD_KAFKA_ACL_OPERATION_WRITE
        case .describe: RD_KAFKA_ACL_OPERATION_DESCRIBE
        }
    }
}
