"""What the benchmarks print: each row when it is known, and whole tables at the end."""


def say(text):
    print(text, flush=True)


class Table:
    """Rows of text below a head, for people now and as Markdown at the end."""

    def __init__(self, *head):
        self.head = head
        self.rows = []

    def add(self, *row):
        cells = [str(cell) for cell in row] + [""] * (len(self.head) - len(row))
        self.rows.append(cells)
        say("  " + " | ".join(cell for cell in cells if cell))

    def print(self):
        if not self.rows:
            return
        say("")
        for cells in [self.head, ["---"] * len(self.head), *self.rows]:
            say("| " + " | ".join(cells) + " |")
