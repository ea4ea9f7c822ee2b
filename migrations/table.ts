// Makes migrations of one table each. Frozen like the migrations themselves: what stands here has run.
import type { Knex } from 'knex';

interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

const OPTIONS = 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

// A statement that was cut off between the table and the note that it exists is simply run again.
export const table = (name: string, definition: string): Migration => ({
  up: async (knex) => void (await knex.raw(`CREATE TABLE IF NOT EXISTS ${name} (${definition}) ${OPTIONS}`)),
  down: async (knex) => void (await knex.raw(`DROP TABLE IF EXISTS ${name}`)),
});

// The rows of one owner lie together, in the order of their IDs: that is how they are read.
export const ownedTable = (name: string, definition: string): Migration =>
  table(
    name,
    `id INT NOT NULL AUTO_INCREMENT,
    owner_id INT NOT NULL,
    version INT NOT NULL DEFAULT 1,
    external_id VARCHAR(64) NULL,
    is_blocked TINYINT NOT NULL DEFAULT 0,
    is_archived TINYINT NOT NULL DEFAULT 0,
    is_system TINYINT NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    modified_at DATETIME(3) NOT NULL,
    ${definition.trim()},
    PRIMARY KEY (owner_id, id),
    UNIQUE KEY ${name}__id (id),
    UNIQUE KEY ${name}__external_id (owner_id, external_id),
    KEY ${name}__created_at (owner_id, created_at),
    KEY ${name}__modified_at (owner_id, modified_at),
    CONSTRAINT ${name}__owner FOREIGN KEY (owner_id) REFERENCES owners (id)`,
  );
