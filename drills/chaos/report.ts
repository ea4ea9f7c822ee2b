// The output of a chaos script: plain lines, and the faults that it found.

export class Report {
  readonly wrong: string[] = [];
  private readonly print: (line: string) => void;

  constructor(print: (line: string) => void = (line) => process.stdout.write(`${line}\n`)) {
    this.print = print;
  }

  say(line: string): void {
    this.print(line);
  }

  /** Reports a failed check, and goes on. */
  demand(holds: boolean, what: string): void {
    if (holds) return;
    this.wrong.push(what);
    this.print(`  WRONG: ${what}`);
  }
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
