FROM swift:6.3.3-bookworm AS builder
RUN apt-get -q update \
    && apt-get -q install --yes --no-install-recommends \
        librdkafka-dev libsimdjson-dev libsqlite3-dev libpq-dev zlib1g-dev libzstd-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN for product in funnel-consumer funnel-report event-collector; do \
        swift build --configuration release --static-swift-stdlib --product "$product" || exit 1; \
    done \
    && install --strip -D --target-directory=/out \
        "$(swift build --configuration release --static-swift-stdlib --show-bin-path)/funnel-consumer" \
        "$(swift build --configuration release --static-swift-stdlib --show-bin-path)/funnel-report" \
        "$(swift build --configuration release --static-swift-stdlib --show-bin-path)/event-collector"

FROM debian:bookworm-slim
# ca-certificates: for brokers whose TLS certificates a public authority signed.
RUN apt-get -q update \
    && apt-get -q install --yes --no-install-recommends \
        ca-certificates librdkafka1 libsimdjson14 libsqlite3-0 libpq5 zlib1g libzstd1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin funnels \
    && install -d -o funnels -g funnels /app /var/lib/funnels
COPY --from=builder /out/ /usr/local/bin/

USER funnels
# The consumer looks for `config/consumer.yaml` and `config/funnels.yaml` here.
WORKDIR /app
ENV STORE_URL=sqlite:/var/lib/funnels/funnels.sqlite
# A new volume gets the owner of this folder, so the consumer can write to it.
VOLUME /var/lib/funnels
# Healthy: the store exists, is of this version, and can be read. A consumer that fails exits, and its supervisor
# restarts it. The check makes no report, whose time depends on the data. With METRICS_PORT set, /readyz says more.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["funnel-report", "--probe"]
ENTRYPOINT ["funnel-consumer"]
