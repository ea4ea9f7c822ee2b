// A part of a page that was measured before it is drawn, so that parts can be kept together on one page.
import { lineHeight, type Paper, type Style, WIDTH } from './paper.ts';

export interface Block {
  /** In points. */
  readonly height: number;
  /** Draws at the cursor, and moves the cursor down. */
  readonly put: () => void;
}

/** A paragraph over the whole width. An empty text takes no room. */
export function paragraph(paper: Paper, text: string, style: Style): Block {
  if (text === '') return { height: 0, put: () => {} };
  return {
    height: paper.wrap(text, WIDTH, style).length * lineHeight(style),
    put: () => paper.flow(text, style),
  };
}

export const space = (paper: Paper, height: number): Block => ({
  height,
  put: () => {
    paper.y += height;
  },
});

/** One below the other, on one page if they fit. */
export const stacked = (paper: Paper, blocks: readonly Block[]): Block => {
  const height = blocks.reduce((sum, block) => sum + block.height, 0);
  return {
    height,
    put: () => {
      paper.room(height);
      for (const block of blocks) block.put();
    },
  };
};
