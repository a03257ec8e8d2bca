import Testing
import FunnelTortureSupport

@Suite struct JournalTests {
    @Test func `a journal says again what was written`() {
        let stored = [Journal.Stored(numbers: 1...7, dropped: 0), Journal.Stored(numbers: 8...20, dropped: 3)]
        let written = Journal(run: "r-1", phone: 4, isSteady: false).head + stored.map(\.line).joined() + Journal.end
        let journal = Journal(text: written)
        #expect(journal?.run == "r-1" && journal?.phone == 4 && journal?.isSteady == false)
        #expect(journal?.stored == stored && journal?.hasFinished == true)
        #expect(journal?.tracked == 17)
    }

    @Test func `a line that was cut off by a kill does not count, whatever stands in it`() {
        let lines = Journal(run: "r", phone: 0, isSteady: true).head + "stored 1 7 0\n"
        for rest in ["stored 8 1", "stored 8 12 0", "s", "finished"] {
            #expect(Journal(text: lines + rest)?.stored.map(\.numbers) == [1...7])
            #expect(Journal(text: lines + rest)?.hasFinished == false)
        }
        #expect(Journal(text: "run r 0 ste") == nil)
        #expect(Journal(text: "") == nil)
    }
}
