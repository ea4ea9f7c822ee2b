// What a check of `forecourt doctor` finds, and how its findings are shown.
import type { Result } from './command.ts';

interface Finding {
  check: string;
  ok: boolean;
  /** The service works all the same. */
  warning?: true;
  detail: string;
}

/** A finding with which the service still works. */
export class Warning extends Error {}

/** Looks one after the other. Each answers what is well; an error is a finding, and the other checks still run. */
export async function findAll(
  checks: readonly (readonly [check: string, look: () => Promise<string>])[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of checks) {
    findings.push(
      await look().then(
        (detail): Finding => ({ check, ok: true, detail }),
        (error: Error) =>
          error instanceof Warning
            ? { check, ok: true, warning: true, detail: error.message }
            : { check, ok: false, detail: error.message },
      ),
    );
  }
  return findings;
}

export function resultOf(findings: readonly Finding[]): Result {
  const text = findings.map(
    (finding) => `  ${verdict(finding)} ${finding.check.padEnd(16)}${finding.detail}`,
  );
  const ok = findings.every((finding) => finding.ok);
  return { json: { ok, findings }, text: text.join('\n'), exitCode: ok ? 0 : 1 };
}

const verdict = ({ ok, warning }: Finding) => (warning ? 'WARN ' : ok ? 'ok   ' : 'WRONG');
