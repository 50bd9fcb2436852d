PRAGMA application_id = 1178948167;
BEGIN TRANSACTION;
CREATE TABLE accounts (
  id INTEGER NOT NULL,
  name VARCHAR(100) NOT NULL,
  password TEXT NOT NULL,
  role VARCHAR(10) NOT NULL,
  created_ms BIGINT NOT NULL,
  CONSTRAINT pk_accounts PRIMARY KEY (id),
  CONSTRAINT uq_accounts_name UNIQUE (name)
);
CREATE TABLE answers (
  id INTEGER NOT NULL,
  submission_id INTEGER NOT NULL,
  question VARCHAR(200) NOT NULL,
  items TEXT NOT NULL,
  value TEXT NOT NULL,
  CONSTRAINT pk_answers PRIMARY KEY (id),
  CONSTRAINT fk_answers_submission_id FOREIGN KEY(submission_id) REFERENCES submissions (id) ON DELETE CASCADE
);
INSERT INTO "answers" VALUES(1,1,'good','["a"]','{"good": 4}');
CREATE TABLE assigned (
  participant_id INTEGER NOT NULL,
  block VARCHAR(200) NOT NULL,
  "key" VARCHAR(400) NOT NULL,
  CONSTRAINT pk_assigned PRIMARY KEY (participant_id, block, "key"),
  CONSTRAINT fk_assigned_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE
);
CREATE TABLE attempts (
  id INTEGER NOT NULL,
  name VARCHAR(100) NOT NULL,
  address VARCHAR(100) NOT NULL,
  tried_ms BIGINT NOT NULL,
  CONSTRAINT pk_attempts PRIMARY KEY (id)
);
CREATE TABLE closed_conditions (
  study_id INTEGER NOT NULL,
  condition VARCHAR(200) NOT NULL,
  CONSTRAINT pk_closed_conditions PRIMARY KEY (study_id, condition),
  CONSTRAINT fk_closed_conditions_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE
);
CREATE TABLE codings (
  id INTEGER NOT NULL,
  answer_id INTEGER NOT NULL,
  part INTEGER NOT NULL,
  coder VARCHAR(100) NOT NULL,
  codes TEXT NOT NULL,
  grade FLOAT,
  coded_ms BIGINT NOT NULL,
  CONSTRAINT pk_codings PRIMARY KEY (id),
  CONSTRAINT fk_codings_answer_id FOREIGN KEY(answer_id) REFERENCES answers (id) ON DELETE CASCADE
);
CREATE TABLE fergus_version (
  version_num VARCHAR(32) NOT NULL,
  CONSTRAINT fergus_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "fergus_version" VALUES('fergus_0001');
CREATE TABLE links (
  id INTEGER NOT NULL,
  study_id INTEGER NOT NULL,
  token VARCHAR(64) NOT NULL,
  label TEXT NOT NULL,
  condition VARCHAR(200),
  created_ms BIGINT NOT NULL,
  CONSTRAINT pk_links PRIMARY KEY (id),
  CONSTRAINT fk_links_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE,
  CONSTRAINT uq_links_token UNIQUE (token)
);
CREATE TABLE participants (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  study_id INTEGER NOT NULL,
  version VARCHAR(64) NOT NULL,
  "key" VARCHAR(64) NOT NULL,
  nonce VARCHAR(64) NOT NULL,
  link_id INTEGER,
  external VARCHAR(200),
  parameters TEXT NOT NULL,
  kind VARCHAR(10) NOT NULL,
  state VARCHAR(10) NOT NULL,
  condition VARCHAR(200) NOT NULL,
  seed BIGINT NOT NULL,
  "plan" TEXT NOT NULL,
  page INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  joined_ms BIGINT NOT NULL,
  seen_ms BIGINT NOT NULL,
  completed_ms BIGINT,
  CONSTRAINT fk_participants_link_id FOREIGN KEY(link_id) REFERENCES links (id) ON DELETE SET NULL,
  CONSTRAINT fk_participants_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE,
  CONSTRAINT uq_participants_key UNIQUE ("key"),
  CONSTRAINT uq_participants_link_id UNIQUE (link_id),
  CONSTRAINT uq_participants_nonce UNIQUE (nonce),
  CONSTRAINT uq_participants_study_id_kind_external UNIQUE (study_id, kind, external)
);
INSERT INTO "participants" VALUES(1,1,'323e27e064d2','key','nonce',NULL,NULL,'{}','person','completed','',7,'[["main", "a", "a"]]',1,1,5,6,6);
CREATE TABLE sessions (
  token VARCHAR(64) NOT NULL,
  account_id INTEGER NOT NULL,
  expires_ms BIGINT NOT NULL,
  CONSTRAINT pk_sessions PRIMARY KEY (token),
  CONSTRAINT fk_sessions_account_id FOREIGN KEY(account_id) REFERENCES accounts (id) ON DELETE CASCADE
);
CREATE TABLE studies (
  id INTEGER NOT NULL,
  name VARCHAR(100) NOT NULL,
  state VARCHAR(10) NOT NULL,
  version VARCHAR(64) NOT NULL,
  created_ms BIGINT NOT NULL,
  CONSTRAINT pk_studies PRIMARY KEY (id),
  CONSTRAINT uq_studies_name UNIQUE (name)
);
INSERT INTO "studies" VALUES(1,'tiny','open','323e27e064d2',1);
CREATE TABLE submissions (
  id INTEGER NOT NULL,
  participant_id INTEGER NOT NULL,
  page INTEGER NOT NULL,
  block VARCHAR(200) NOT NULL,
  items TEXT NOT NULL,
  opened_ms BIGINT,
  shown_ms BIGINT,
  submitted_ms BIGINT,
  active_ms BIGINT,
  CONSTRAINT pk_submissions PRIMARY KEY (id),
  CONSTRAINT fk_submissions_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id) ON DELETE CASCADE,
  CONSTRAINT uq_submissions_participant_id_page UNIQUE (participant_id, page)
);
INSERT INTO "submissions" VALUES(1,1,0,'main','["a"]',5,5,6,1);
CREATE TABLE versions (
  id INTEGER NOT NULL,
  study_id INTEGER NOT NULL,
  version VARCHAR(64) NOT NULL,
  file_name TEXT NOT NULL,
  text TEXT NOT NULL,
  items_name TEXT NOT NULL,
  items_text TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  CONSTRAINT pk_versions PRIMARY KEY (id),
  CONSTRAINT fk_versions_study_id FOREIGN KEY(study_id) REFERENCES studies (id) ON DELETE CASCADE,
  CONSTRAINT uq_versions_study_id_version UNIQUE (study_id, version)
);
INSERT INTO "versions" VALUES(1,1,'323e27e064d2','study.yaml','study: tiny
title: A tiny study
items: items.csv
questions:
  good: {type: rating, points: 5, dimensions: {good: {text: "How good is it?"}}}
blocks:
  - {name: main, items: all, questions: [good]}
','items.csv','item,system,text
a,x,The dog barked.
',1);
CREATE INDEX ix_attempts_tried_ms ON attempts (tried_ms);
CREATE INDEX ix_links_study_id ON links (study_id);
CREATE INDEX ix_participants_study_id_state ON participants (study_id, state);
CREATE INDEX ix_answers_submission_id ON answers (submission_id);
CREATE INDEX ix_codings_answer_id_part_coder ON codings (answer_id, part, coder);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('participants',1);
COMMIT;
