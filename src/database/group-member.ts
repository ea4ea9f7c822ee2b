// The part of a server in a MySQL group (Group Replication). The server shows it in a table that only administrators may
// read by default.
import type { RowDataPacket } from 'mysql2';

const MEMBERS =
  'SELECT member_state AS state, member_role AS role, member_id = @@server_uuid AS is_self FROM performance_schema.replication_group_members';
const ACCESS_DENIED = 1142;

export interface GroupMember {
  /** The member is in the group, and the group has a majority. Without one, each commit waits. */
  readonly isUsable: boolean;
  /** For people: `ONLINE PRIMARY, of 3`. */
  readonly text: string;
}

/** Undefined: the server does not show it. */
export async function readMember(
  ask: (sql: string) => Promise<RowDataPacket[]>,
): Promise<GroupMember | undefined> {
  const members = await ask(MEMBERS).catch((error: { errno?: number }) => {
    if (error.errno === ACCESS_DENIED) return [];
    throw error;
  });
  if (members.length === 0) return undefined;
  const { state, role } = members.find(({ is_self }) => is_self === 1) ?? { state: 'OFFLINE', role: '' };
  if (state !== 'ONLINE') return { isUsable: false, text: state };
  const lost = members.filter((member) => !['ONLINE', 'RECOVERING'].includes(member.state)).length;
  const hasMajority = 2 * lost < members.length;
  return {
    isUsable: hasMajority,
    text: `ONLINE ${role}, ${hasMajority ? `of ${members.length}` : 'without a majority'}`,
  };
}
