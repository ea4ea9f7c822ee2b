import { ownedTable } from './table.ts';

export const { up, down } = ownedTable(
  'flatratelines',
  `
  flatrate_id INT NOT NULL,
  sort_order INT NULL,
  article_id INT NULL,
  article_number VARCHAR(40) NULL,
  article_kind TINYINT NULL,
  unit_type TINYINT NULL,
  description VARCHAR(255) NULL,
  quantity DECIMAL(18, 4) NULL,
  price DECIMAL(18, 4) NULL,
  turnover_group_id INT NULL,
  is_manual_input TINYINT NOT NULL DEFAULT 0,
  is_no_article_price TINYINT NOT NULL DEFAULT 0,
  KEY flatratelines__flatrate_id (owner_id, flatrate_id),
  CONSTRAINT flatratelines__flatrate_id__reference FOREIGN KEY (owner_id, flatrate_id) REFERENCES flatrates (owner_id, id),
  KEY flatratelines__article_id (owner_id, article_id),
  CONSTRAINT flatratelines__article_id__reference FOREIGN KEY (owner_id, article_id) REFERENCES articles (owner_id, id),
  KEY flatratelines__turnover_group_id (owner_id, turnover_group_id),
  CONSTRAINT flatratelines__turnover_group_id__reference FOREIGN KEY (owner_id, turnover_group_id) REFERENCES turnovergroups (owner_id, id)
`,
);
