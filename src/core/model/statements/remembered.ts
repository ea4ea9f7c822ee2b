// Remembers the result of a function for each object: facts about a resource that every request needs.

/** The same function, which makes its value once for each object. Callers share the value. */
export function remembered<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const known = new WeakMap<From, Made>();
  return (from) => {
    if (!known.has(from)) known.set(from, make(from));
    return known.get(from) as Made;
  };
}
