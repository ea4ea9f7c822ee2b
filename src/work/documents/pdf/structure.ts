// The structure of a PDF: which text is a heading, a paragraph, a cell of a table. Screen readers and programs follow
// it instead of the positions on the page. Parts that repeat or decorate stay outside of it, as artifacts.

type Pdf = PDFKit.PDFDocument;
type Element = ReturnType<Pdf['struct']>;

const GROUPS = ['Document', 'Table', 'THead', 'TBody', 'TR'] as const;
type Group = (typeof GROUPS)[number];
export type Role = Exclude<Group, 'Document'> | 'H1' | 'H2' | 'P' | 'Figure' | 'TH' | 'TD';

interface TagOptions {
  /** Says in words what a figure shows. */
  readonly alt?: string;
  /** Which cells a TH is the head of. */
  readonly scope?: 'Column' | 'Row';
  /** The box of a figure: left, top, right, bottom. */
  readonly bbox?: [number, number, number, number];
}

/** An element of the structure. */
interface Tag {
  readonly role: Role | 'Document';
  readonly element: Element;
}

const isGroup = ({ role }: Tag): boolean => (GROUPS as readonly string[]).includes(role);

export class Structure {
  private current: Tag;
  private isArtifact = false;
  private readonly pdf: Pdf;

  constructor(pdf: Pdf) {
    this.pdf = pdf;
    const element = pdf.struct('Document');
    pdf.addStructure(element);
    this.current = { role: 'Document', element };
  }

  /** Adds an element to the current one, without entering it. The order of these calls is the order of reading. */
  open(role: Role, options: TagOptions = {}): Tag {
    if (this.isArtifact) return this.current;
    const element = this.pdf.struct(role, options);
    this.current.element.add(element);
    return { role, element };
  }

  /** All that `work` draws belongs to the element. */
  inside(tag: Tag, work: () => void): void {
    const outer = this.current;
    this.current = tag;
    work();
    this.current = outer;
  }

  tagged(role: Role, work: () => void, options?: TagOptions): void {
    this.inside(this.open(role, options), work);
  }

  /** Tags what `work` draws if the current element can't hold text itself. */
  grouped(role: Role, work: () => void): void {
    if (isGroup(this.current)) this.tagged(role, work);
    else work();
  }

  /** Everything that `work` draws repeats or decorates, so it is no part of the text. */
  artifact(work: () => void): void {
    const outer = this.isArtifact;
    this.isArtifact = true;
    work();
    this.isArtifact = outer;
  }

  /** Marks what `draw` draws on the current page. Each call of `put` is marked by itself, so no mark spans pages. */
  mark(draw: () => void): void {
    if (this.isArtifact) {
      this.pdf.markContent('Artifact', { type: 'Layout' });
      draw();
      this.pdf.endMarkedContent();
      return;
    }
    this.grouped('P', () => {
      const { role, element } = this.current;
      const content = this.pdf.markStructureContent(role);
      draw();
      this.pdf.endMarkedContent();
      element.add(content);
    });
  }
}
