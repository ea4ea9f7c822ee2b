// License plates. The fourteen Dutch patterns differ even without dashes, so the letters and digits alone say where
// the dashes belong. A plate with dashes in other places is refused.

/** The shapes of cars from the oldest to the newest, then the shapes of mopeds. */
export const DUTCH_SHAPES = [
  'XX-99-99',
  '99-99-XX',
  '99-XX-99',
  'XX-99-XX',
  'XX-XX-99',
  '99-XX-XX',
  '99-XXX-9',
  '9-XXX-99',
  'XX-999-X',
  'X-999-XX',
  'XXX-99-X',
  'X-99-XXX',
  '9-XX-999',
  '999-XX-9',
];

const SHAPE_OF_PATTERN = new Map(DUTCH_SHAPES.map((shape) => [shape.replaceAll('-', ''), shape]));
const DUTCH_CHARACTERS = /^[A-Za-z0-9-]{6,8}$/;
const FOREIGN_CHARACTERS = /^[\p{Script=Latin}0-9 -]{1,12}$/u;

/**
 * A Dutch plate in capitals with dashes (`ab123c` → `AB-123-C`), in one of the fourteen shapes of the
 * specification. The text has either all dashes or none. Undefined if no shape fits.
 */
export function normaliseDutchPlate(text: string): string | undefined {
  if (!DUTCH_CHARACTERS.test(text)) return undefined;
  const capitals = text.toUpperCase();
  const bare = capitals.replaceAll('-', '');
  const shape = SHAPE_OF_PATTERN.get(bare.replace(/[A-Z]/g, 'X').replace(/\d/g, '9'));
  if (shape === undefined) return undefined;

  let used = 0;
  const dashed = shape.replace(/[X9]/g, () => bare.charAt(used++));
  return capitals === bare || capitals === dashed ? dashed : undefined;
}

/**
 * A foreign plate, trimmed and in capitals. It has 1 to 12 Latin letters (also `Ö`), digits, dashes and spaces, and
 * at least one letter or digit. Undefined for other text.
 */
export function normaliseForeignPlate(text: string): string | undefined {
  const capitals = text.normalize('NFC').trim().toUpperCase();
  return FOREIGN_CHARACTERS.test(capitals) && /[^ -]/.test(capitals) ? capitals : undefined;
}

/** The plate without dashes and spaces. Two plates with the same key are the same plate. */
export function plateKey(plate: string): string {
  return plate.replace(/[- ]/g, '');
}
