// The chance in a step of a story. A step carries its own numbers, so it does the same after other steps are left out.

export class Dice {
  private readonly numbers: readonly number[];
  private thrown = 0;

  /** `numbers`: at least one, from 0. Zeros choose the simplest of everything. */
  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    const number = this.numbers[this.thrown % this.numbers.length] ?? 0;
    this.thrown += 1;
    return number % count;
  }

  /** One of the things; undefined if there is none. A small number chooses the newest. */
  pick<T>(things: readonly T[]): T | undefined {
    return things.length === 0 ? undefined : things[things.length - 1 - this.below(things.length)];
  }

  /** One of the things, each as often as its weight says. The first is the simplest. */
  weigh<T>(things: readonly (readonly [thing: T, weight: number])[]): T {
    let left = this.below(things.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [thing, weight] of things) {
      if (left < weight) return thing;
      left -= weight;
    }
    throw new Error('nothing to choose from');
  }

  /** True in so many of a hundred throws; never on a 0. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** Euros with two decimals, of an odd kind: cents that do not divide well. */
  euros(most: number): number {
    return (1 + this.below(most * 100)) / 100;
  }

  /** The other numbers, for a step within this step. */
  rest(): Dice {
    const from = this.thrown % this.numbers.length;
    return new Dice([...this.numbers.slice(from), ...this.numbers.slice(0, from)].reverse());
  }
}
