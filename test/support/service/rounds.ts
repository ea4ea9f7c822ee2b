// Whether long work leaves rounds of the event loop to others.

/** The result of the work, and how many rounds of the event loop pass while it runs. */
export async function roundsDuring<T>(work: () => Promise<T>): Promise<{ result: T; rounds: number }> {
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    return { result: await work(), rounds };
  } finally {
    isOver = true;
  }
}
