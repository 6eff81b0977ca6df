/// Databases as released versions wrote them, one statement after the other.
///
/// These databases never change. A change of the schema adds a database of the version before it.
enum OldDatabases {
  /// Each version, its SQL, and the number of its messages that wait to be sent.
  static let all = [
    (1, version1, 1), (2, version2, 2), (3, version3, 2), (4, version4, 2), (5, version5, 2),
    (6, version6, 2),
    (7, version7, 2), (8, version8, 2), (9, version9, 2), (10, version10, 2), (11, version11, 2),
    (12, version12, 2), (13, version13, 2), (14, version14, 2),
  ]

  /// Version 1: two messages sent, and in the outbox a third, composed without a connection.
  static let version1 = """
    CREATE TABLE `account` (`id` INTEGER NOT NULL, `user` TEXT NOT NULL, `cursor` TEXT, `epoch` TEXT,
      `next_message` INTEGER NOT NULL, `next_conversation` INTEGER NOT NULL, `next_operation` INTEGER NOT
      NULL, `version` INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO account
      VALUES(1,'alice','3-28e22e7a6bbaa562','92429630f29fc1c42f759fcf1b0c700c',4,2,5,20);
    CREATE TABLE `conversation` (`id` INTEGER NOT NULL, `ref` TEXT, `type` TEXT NOT NULL, `peer` TEXT,
      `title` TEXT, `is_pinned` INTEGER NOT NULL, `is_muted` INTEGER NOT NULL, `draft` TEXT,
      `last_message` INTEGER, `last_activity` INTEGER NOT NULL, `read_mark` INTEGER NOT NULL,
      `pending_read_mark` INTEGER, `unread_count` INTEGER NOT NULL, `unread_is_at_least` INTEGER NOT NULL,
      `synced_to` INTEGER, `floor` INTEGER NOT NULL, `is_closed` INTEGER NOT NULL, `refusal` TEXT, PRIMARY
      KEY (`id`)) STRICT;
    INSERT INTO conversation
      VALUES(1,'77ff434a6807a30e','direct','bob',NULL,0,0,NULL,3,1795270922737,0,NULL,0,0,2,-9223372036854775808,0,NULL);
    CREATE TABLE `member` (`conversation` INTEGER NOT NULL, `user` TEXT NOT NULL, PRIMARY KEY
      (`conversation`, `user`)) STRICT, WITHOUT ROWID;
    INSERT INTO member VALUES(1,'alice');
    INSERT INTO member VALUES(1,'bob');
    CREATE TABLE `message` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `rank` INTEGER NOT
      NULL, `server_id` TEXT, `message_id` TEXT NOT NULL, `sender` TEXT NOT NULL, `position` INTEGER,
      `epoch` TEXT, `time` INTEGER NOT NULL, `status` INTEGER NOT NULL, `kind` TEXT NOT NULL, `payload`
      BLOB NOT NULL, `revision` INTEGER NOT NULL, `version` INTEGER NOT NULL, `is_counted` INTEGER NOT
      NULL, `failure_code` TEXT, `failure_message` TEXT, PRIMARY KEY (`conversation`, `rank`, `id`))
      STRICT, WITHOUT ROWID;
    INSERT INTO message
      VALUES(1,1,1,'77ff434a6807a30e.1','773d76386252e63a6573cf92d1bdc9fb','alice',1,'92429630f29fc1c42f759fcf1b0c700c',1795270919917,2,'text',X'7b2274657874223a2268656c6c6f227d',0,6,0,NULL,NULL);
    INSERT INTO message
      VALUES(2,1,2,'77ff434a6807a30e.2','318430e875ba4345f4757c7dd39a42a1','alice',2,'92429630f29fc1c42f759fcf1b0c700c',1795270919924,2,'text',X'7b2274657874223a226f6c642074696d6573227d',0,8,0,NULL,NULL);
    INSERT INTO message
      VALUES(3,1,4611686018427387908,NULL,'7e2c38b2c817ad18a9c9ac2a295e24d1','alice',NULL,'92429630f29fc1c42f759fcf1b0c700c',1795270922737,0,'text',X'7b2274657874223a227772697474656e206f66666c696e65227d',0,20,0,NULL,NULL);
    CREATE TABLE `span` (`conversation` INTEGER NOT NULL, `lower` INTEGER NOT NULL, `upper` INTEGER NOT
      NULL, `reaches_start` INTEGER NOT NULL, `lower_token` TEXT, `unread_below` INTEGER, PRIMARY KEY
      (`conversation`, `lower`)) STRICT, WITHOUT ROWID;
    INSERT INTO span VALUES(1,1,2,1,NULL,0);
    CREATE TABLE `operation` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `kind` TEXT NOT
      NULL, `message` INTEGER, `parameters` BLOB, `needs_preparation` INTEGER NOT NULL, `attempts` INTEGER
      NOT NULL, `outcome_is_unknown` INTEGER NOT NULL, `queued` INTEGER NOT NULL, PRIMARY KEY (`id`))
      STRICT;
    INSERT INTO operation VALUES(4,1,'send',3,NULL,0,5,0,1795270922737);
    CREATE UNIQUE INDEX `conversation_ref_partial` ON `conversation` (`ref`) WHERE ref IS NOT NULL;
    CREATE UNIQUE INDEX `conversation_peer_partial` ON `conversation` (`peer`) WHERE peer IS NOT NULL
      AND type = 'direct';
    CREATE UNIQUE INDEX `message_id` ON `message` (`id`);
    CREATE UNIQUE INDEX `message_conversation_server_id_partial` ON `message` (`conversation`,
      `server_id`) WHERE server_id IS NOT NULL;
    CREATE UNIQUE INDEX `message_conversation_sender_message_id` ON `message` (`conversation`, `sender`,
      `message_id`);
    CREATE INDEX `message_conversation_rank_partial` ON `message` (`conversation`, `rank`) WHERE is_counted = 1;
    CREATE INDEX `operation_conversation` ON `operation` (`conversation`);
    CREATE INDEX `operation_message` ON `operation` (`message`);
    """

  /// Version 2: two messages sent; in the outbox a third, composed without a connection, and a new group
  /// with its first message.
  static let version2 = """
    CREATE TABLE `account` (`id` INTEGER NOT NULL, `user` TEXT NOT NULL, `cursor` TEXT, `epoch` TEXT,
      `next_message` INTEGER NOT NULL, `next_conversation` INTEGER NOT NULL, `next_operation` INTEGER NOT
      NULL, `version` INTEGER NOT NULL, `installation` TEXT, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO account
      VALUES(1,'alice','3-b17c08e34a3c593b','34ab8cda4daa7b358466020b1d84309b',5,3,7,21,'79144d28eaa34bd43def0f6916940443');
    CREATE TABLE `conversation` (`id` INTEGER NOT NULL, `ref` TEXT, `type` TEXT NOT NULL, `peer` TEXT,
      `title` TEXT, `is_pinned` INTEGER NOT NULL, `is_muted` INTEGER NOT NULL, `draft` TEXT, `last_message`
      INTEGER, `last_activity` INTEGER NOT NULL, `read_mark` INTEGER NOT NULL, `pending_read_mark` INTEGER,
      `unread_count` INTEGER NOT NULL, `unread_is_at_least` INTEGER NOT NULL, `synced_to` INTEGER, `floor`
      INTEGER NOT NULL, `is_closed` INTEGER NOT NULL, `refusal` TEXT, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO conversation
      VALUES(1,'08fc3f04185d7c6d','direct','bob',NULL,0,0,NULL,3,1795294042862,0,NULL,0,0,2,-9223372036854775808,0,NULL);
    INSERT INTO conversation
      VALUES(2,NULL,'group',NULL,'Trip',0,0,NULL,4,1795294042925,-9223372036854775808,NULL,0,0,NULL,-9223372036854775808,0,NULL);
    CREATE TABLE `member` (`conversation` INTEGER NOT NULL, `user` TEXT NOT NULL, PRIMARY KEY
      (`conversation`, `user`)) STRICT, WITHOUT ROWID;
    INSERT INTO member VALUES(1,'alice');
    INSERT INTO member VALUES(1,'bob');
    INSERT INTO member VALUES(2,'alice');
    INSERT INTO member VALUES(2,'bob');
    CREATE TABLE `message` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `rank` INTEGER NOT NULL,
      `server_id` TEXT, `message_id` TEXT NOT NULL, `sender` TEXT NOT NULL, `position` INTEGER, `epoch`
      TEXT, `time` INTEGER NOT NULL, `status` INTEGER NOT NULL, `kind` TEXT NOT NULL, `payload` BLOB NOT
      NULL, `revision` INTEGER NOT NULL, `version` INTEGER NOT NULL, `is_counted` INTEGER NOT NULL,
      `failure_code` TEXT, `failure_message` TEXT, `parameters` BLOB, PRIMARY KEY (`conversation`, `rank`,
      `id`)) STRICT, WITHOUT ROWID;
    INSERT INTO message
      VALUES(1,1,1,'08fc3f04185d7c6d.1','eeeeb55f4a9c2e30632dd6c77d917a6d','alice',1,'34ab8cda4daa7b358466020b1d84309b',1795294039938,2,'text',X'7b2274657874223a2268656c6c6f227d',0,6,0,NULL,NULL,NULL);
    INSERT INTO message
      VALUES(2,1,2,'08fc3f04185d7c6d.2','a37d0cbd5ab3457b8ce1eab710b5bb6a','alice',2,'34ab8cda4daa7b358466020b1d84309b',1795294039980,2,'text',X'7b2274657874223a226f6c642074696d6573227d',0,9,0,NULL,NULL,NULL);
    INSERT INTO message
      VALUES(3,1,4611686018427387908,NULL,'3714ac88b65c8b8fc5d1f9d9afba84e3','alice',NULL,'34ab8cda4daa7b358466020b1d84309b',1795294042862,0,'text',X'7b2274657874223a227772697474656e206f66666c696e65227d',0,21,0,NULL,NULL,NULL);
    INSERT INTO message
      VALUES(4,2,4611686018427387910,NULL,'a52aa1f1f2bbf572216f22db5f58729e','alice',NULL,'34ab8cda4daa7b358466020b1d84309b',1795294042925,0,'text',X'7b2274657874223a2277686f20636f6d65733f227d',0,14,0,NULL,NULL,NULL);
    CREATE TABLE `span` (`conversation` INTEGER NOT NULL, `lower` INTEGER NOT NULL, `upper` INTEGER NOT
      NULL, `reaches_start` INTEGER NOT NULL, `lower_token` TEXT, `unread_below` INTEGER, PRIMARY KEY
      (`conversation`, `lower`)) STRICT, WITHOUT ROWID;
    INSERT INTO span VALUES(1,1,2,1,NULL,0);
    CREATE TABLE `operation` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `kind` TEXT NOT NULL,
      `message` INTEGER, `parameters` BLOB, `needs_preparation` INTEGER NOT NULL, `attempts` INTEGER NOT
      NULL, `outcome_is_unknown` INTEGER NOT NULL, `queued` INTEGER NOT NULL, `depends_on` INTEGER,
      `is_media` INTEGER NOT NULL, `is_parked` INTEGER NOT NULL, `failures` INTEGER NOT NULL, `waited`
      INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO operation VALUES(4,1,'send',3,NULL,0,4,0,1795294042863,NULL,0,0,0,0);
    INSERT INTO operation
      VALUES(5,2,'open',NULL,X'7b2267726f7570223a7b226964223a226337313030333966363235336637666639326634373137316465343430633433222c227469746c65223a2254726970222c226d656d62657273223a5b22626f62225d7d7d',0,0,0,1795294042882,NULL,0,0,0,0);
    INSERT INTO operation VALUES(6,2,'send',4,NULL,0,0,0,1795294042925,NULL,0,0,0,0);
    CREATE TABLE `upload` (`hash` TEXT NOT NULL, `type` TEXT NOT NULL, `media` BLOB, `token` TEXT, `updated`
      INTEGER NOT NULL, PRIMARY KEY (`hash`, `type`)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX `conversation_ref_partial` ON `conversation` (`ref`) WHERE ref IS NOT NULL;
    CREATE UNIQUE INDEX `conversation_peer_partial` ON `conversation` (`peer`) WHERE peer IS NOT NULL AND
      type = 'direct';
    CREATE UNIQUE INDEX `message_id` ON `message` (`id`);
    CREATE UNIQUE INDEX `message_conversation_server_id_partial` ON `message` (`conversation`, `server_id`)
      WHERE server_id IS NOT NULL;
    CREATE UNIQUE INDEX `message_conversation_sender_message_id` ON `message` (`conversation`, `sender`,
      `message_id`);
    CREATE INDEX `message_conversation_rank_partial` ON `message` (`conversation`, `rank`) WHERE is_counted
      = 1;
    CREATE INDEX `operation_conversation` ON `operation` (`conversation`);
    CREATE INDEX `operation_message` ON `operation` (`message`);
    """

  /// Version 3, with the same contents.
  static let version3 = """
    CREATE TABLE `account` (`id` INTEGER NOT NULL, `user` TEXT NOT NULL, `cursor` TEXT, `epoch` TEXT,
      `next_message` INTEGER NOT NULL, `next_conversation` INTEGER NOT NULL, `next_operation` INTEGER NOT
      NULL, `version` INTEGER NOT NULL, `installation` TEXT, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO account
      VALUES(1,'alice','3-d388cea34e64adea','66f395d39f34ed3970043d125680eb6b',5,3,7,21,'4983d2cb93b1ecf89141044d6be5b92a');
    CREATE TABLE `conversation` (`id` INTEGER NOT NULL, `ref` TEXT, `type` TEXT NOT NULL, `peer` TEXT, `title`
      TEXT, `is_pinned` INTEGER NOT NULL, `is_muted` INTEGER NOT NULL, `draft` TEXT, `last_message` INTEGER,
      `last_activity` INTEGER NOT NULL, `read_mark` INTEGER NOT NULL, `pending_read_mark` INTEGER,
      `unread_count` INTEGER NOT NULL, `unread_is_at_least` INTEGER NOT NULL, `synced_to` INTEGER, `floor`
      INTEGER NOT NULL, `is_closed` INTEGER NOT NULL, `refusal` TEXT, `opening_key` TEXT, `is_hidden` INTEGER
      NOT NULL, `version` INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO conversation
      VALUES(1,'43fe8a7356172820','direct','bob',NULL,0,0,NULL,3,1795307936637,0,NULL,0,0,2,-9223372036854775808,0,NULL,NULL,0,21);
    INSERT INTO conversation
      VALUES(2,NULL,'group',NULL,'Trip',0,0,NULL,4,1795307936642,-9223372036854775808,NULL,0,0,NULL,-9223372036854775808,0,NULL,'3d2d56f07a234bc49f177c0b9739965e',0,14);
    CREATE TABLE `lease` (`id` INTEGER NOT NULL, `fence` INTEGER NOT NULL, `question` INTEGER NOT NULL,
      `answer` INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO lease VALUES(1,2,0,0);
    CREATE TABLE `member` (`conversation` INTEGER NOT NULL, `user` TEXT NOT NULL, PRIMARY KEY (`conversation`,
      `user`)) STRICT, WITHOUT ROWID;
    INSERT INTO member VALUES(1,'alice');
    INSERT INTO member VALUES(1,'bob');
    INSERT INTO member VALUES(2,'alice');
    INSERT INTO member VALUES(2,'bob');
    CREATE TABLE `merged` (`conversation` INTEGER NOT NULL, `target` INTEGER NOT NULL, `version` INTEGER NOT
      NULL, PRIMARY KEY (`conversation`)) STRICT;
    CREATE TABLE `message` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `rank` INTEGER NOT NULL,
      `server_id` TEXT, `message_id` TEXT NOT NULL, `sender` TEXT NOT NULL, `position` INTEGER, `epoch` TEXT,
      `time` INTEGER NOT NULL, `status` INTEGER NOT NULL, `kind` TEXT NOT NULL, `payload` BLOB NOT NULL,
      `revision` INTEGER NOT NULL, `version` INTEGER NOT NULL, `is_counted` INTEGER NOT NULL, `failure_code`
      TEXT, `failure_message` TEXT, `parameters` BLOB, `is_hidden` INTEGER NOT NULL, PRIMARY KEY
      (`conversation`, `rank`, `id`)) STRICT, WITHOUT ROWID;
    INSERT INTO message
      VALUES(1,1,1,'43fe8a7356172820.1','871fe377b7380fb300b9d093171eb0e8','alice',1,'66f395d39f34ed3970043d125680eb6b',1795307927535,2,'text',X'7B2274657874223A2268656C6C6F227D',0,6,0,NULL,NULL,NULL,0);
    INSERT INTO message
      VALUES(2,1,2,'43fe8a7356172820.2','bd34e4459dfc5e98d25cf05e25c691ce','alice',2,'66f395d39f34ed3970043d125680eb6b',1795307927544,2,'text',X'7B2274657874223A226F6C642074696D6573227D',0,9,0,NULL,NULL,NULL,0);
    INSERT INTO message
      VALUES(3,1,4611686018427387908,NULL,'419c0f6bcdbb87e047933f4390a80ebd','alice',NULL,'66f395d39f34ed3970043d125680eb6b',1795307936637,0,'text',X'7B2274657874223A227772697474656E206F66666C696E65227D',0,21,0,NULL,NULL,NULL,0);
    INSERT INTO message
      VALUES(4,2,4611686018427387910,NULL,'e0f016d8da8e914a599719aef89edb60','alice',NULL,'66f395d39f34ed3970043d125680eb6b',1795307936642,0,'text',X'7B2274657874223A2277686F20636F6D65733F227D',0,14,0,NULL,NULL,NULL,0);
    CREATE TABLE `operation` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `kind` TEXT NOT NULL,
      `message` INTEGER, `parameters` BLOB, `needs_preparation` INTEGER NOT NULL, `attempts` INTEGER NOT NULL,
      `outcome_is_unknown` INTEGER NOT NULL, `queued` INTEGER NOT NULL, `depends_on` INTEGER, `is_media`
      INTEGER NOT NULL, `is_parked` INTEGER NOT NULL, `failures` INTEGER NOT NULL, `waited` INTEGER NOT NULL,
      PRIMARY KEY (`id`)) STRICT;
    INSERT INTO operation VALUES(4,1,'send',3,NULL,0,4,0,1795307936637,NULL,0,0,0,0);
    INSERT INTO operation
      VALUES(5,2,'open',NULL,X'7B2267726F7570223A7B226964223A223364326435366630376132333462633439663137376330623937333939363565222C227469746C65223A2254726970222C226D656D62657273223A5B22626F62225D7D7D',0,0,0,1795307936640,NULL,0,0,0,0);
    INSERT INTO operation VALUES(6,2,'send',4,NULL,0,0,0,1795307936642,NULL,0,0,0,0);
    CREATE TABLE `span` (`conversation` INTEGER NOT NULL, `lower` INTEGER NOT NULL, `upper` INTEGER NOT NULL,
      `reaches_start` INTEGER NOT NULL, `lower_token` TEXT, `unread_below` INTEGER, PRIMARY KEY
      (`conversation`, `lower`)) STRICT, WITHOUT ROWID;
    INSERT INTO span VALUES(1,1,2,1,NULL,0);
    CREATE TABLE `upload` (`hash` TEXT NOT NULL, `type` TEXT NOT NULL, `media` BLOB, `token` TEXT, `updated`
      INTEGER NOT NULL, PRIMARY KEY (`hash`, `type`)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX `conversation_ref_partial` ON `conversation` (`ref`) WHERE ref IS NOT NULL;
    CREATE UNIQUE INDEX `conversation_peer_partial` ON `conversation` (`peer`) WHERE peer IS NOT NULL AND type
      = 'direct';
    CREATE UNIQUE INDEX `message_id` ON `message` (`id`);
    CREATE UNIQUE INDEX `message_conversation_server_id_partial` ON `message` (`conversation`, `server_id`)
      WHERE server_id IS NOT NULL;
    CREATE UNIQUE INDEX `message_conversation_sender_message_id` ON `message` (`conversation`, `sender`,
      `message_id`);
    CREATE INDEX `message_conversation_rank_partial` ON `message` (`conversation`, `rank`) WHERE is_counted =
      1;
    CREATE INDEX `operation_conversation` ON `operation` (`conversation`);
    CREATE INDEX `operation_message` ON `operation` (`message`);
    CREATE INDEX `operation_depends_on_partial` ON `operation` (`depends_on`) WHERE depends_on IS NOT NULL;
    """
  static let version4 = """
    CREATE TABLE `account` (`id` INTEGER NOT NULL, `user` TEXT NOT NULL, `cursor` TEXT, `epoch` TEXT,
      `next_message` INTEGER NOT NULL, `next_conversation` INTEGER NOT NULL, `next_operation` INTEGER NOT
      NULL, `version` INTEGER NOT NULL, `installation` TEXT,
      `contact_version` TEXT, `clock_offset` INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO account
      VALUES(1,'alice','3-d388cea34e64adea','66f395d39f34ed3970043d125680eb6b',5,3,7,21,'4983d2cb93b1ecf89141044d6be5b92a',NULL,0);
    CREATE TABLE `contact` (`id` TEXT NOT NULL, `type` TEXT NOT NULL, `name` TEXT NOT NULL, `remark` TEXT, `avatar`
      TEXT, `is_muted` INTEGER, `is_pinned` INTEGER, `removed` INTEGER, `version` INTEGER NOT NULL, PRIMARY KEY
      (`id`)) STRICT, WITHOUT ROWID;
    CREATE TABLE `conversation` (`id` INTEGER NOT NULL, `ref` TEXT, `type` TEXT NOT NULL, `peer` TEXT, `title`
      TEXT, `is_pinned` INTEGER NOT NULL, `is_muted` INTEGER NOT NULL, `draft` TEXT, `last_message` INTEGER,
      `last_activity` INTEGER NOT NULL, `read_mark` INTEGER NOT NULL, `pending_read_mark` INTEGER,
      `unread_count` INTEGER NOT NULL, `unread_is_at_least` INTEGER NOT NULL, `synced_to` INTEGER, `floor`
      INTEGER NOT NULL, `is_closed` INTEGER NOT NULL, `refusal` TEXT, `opening_key` TEXT, `is_hidden` INTEGER
      NOT NULL, `version` INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO conversation
      VALUES(1,'43fe8a7356172820','direct','bob',NULL,0,0,NULL,3,1795307936637,0,NULL,0,0,2,-9223372036854775808,0,NULL,NULL,0,21);
    INSERT INTO conversation
      VALUES(2,NULL,'group',NULL,'Trip',0,0,NULL,4,1795307936642,-9223372036854775808,NULL,0,0,NULL,-9223372036854775808,0,NULL,'3d2d56f07a234bc49f177c0b9739965e',0,14);
    CREATE TABLE `lease` (`id` INTEGER NOT NULL, `fence` INTEGER NOT NULL, `question` INTEGER NOT NULL,
      `answer` INTEGER NOT NULL, PRIMARY KEY (`id`)) STRICT;
    INSERT INTO lease VALUES(1,2,0,0);
    CREATE TABLE `member` (`conversation` INTEGER NOT NULL, `user` TEXT NOT NULL, PRIMARY KEY (`conversation`,
      `user`)) STRICT, WITHOUT ROWID;
    INSERT INTO member VALUES(1,'alice');
    INSERT INTO member VALUES(1,'bob');
    INSERT INTO member VALUES(2,'alice');
    INSERT INTO member VALUES(2,'bob');
    CREATE TABLE `merged` (`conversation` INTEGER NOT NULL, `target` INTEGER NOT NULL, `version` INTEGER NOT
      NULL, PRIMARY KEY (`conversation`)) STRICT;
    CREATE TABLE `message` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `rank` INTEGER NOT NULL,
      `server_id` TEXT, `message_id` TEXT NOT NULL, `sender` TEXT NOT NULL, `position` INTEGER, `epoch` TEXT,
      `time` INTEGER NOT NULL, `status` INTEGER NOT NULL, `kind` TEXT NOT NULL, `payload` BLOB NOT NULL,
      `revision` INTEGER NOT NULL, `version` INTEGER NOT NULL, `is_counted` INTEGER NOT NULL, `failure_code`
      TEXT, `failure_message` TEXT, `parameters` BLOB, `is_hidden` INTEGER NOT NULL, PRIMARY KEY
      (`conversation`, `rank`, `id`)) STRICT, WITHOUT ROWID;
    INSERT INTO message
      VALUES(1,1,1,'43fe8a7356172820.1','871fe377b7380fb300b9d093171eb0e8','alice',1,'66f395d39f34ed3970043d125680eb6b',1795307927535,2,'text',X'7B2274657874223A2268656C6C6F227D',0,6,0,NULL,NULL,NULL,0);
    INSERT INTO message
      VALUES(2,1,2,'43fe8a7356172820.2','bd34e4459dfc5e98d25cf05e25c691ce','alice',2,'66f395d39f34ed3970043d125680eb6b',1795307927544,2,'text',X'7B2274657874223A226F6C642074696D6573227D',0,9,0,NULL,NULL,NULL,0);
    INSERT INTO message
      VALUES(3,1,4611686018427387908,NULL,'419c0f6bcdbb87e047933f4390a80ebd','alice',NULL,'66f395d39f34ed3970043d125680eb6b',1795307936637,0,'text',X'7B2274657874223A227772697474656E206F66666C696E65227D',0,21,0,NULL,NULL,NULL,0);
    INSERT INTO message
      VALUES(4,2,4611686018427387910,NULL,'e0f016d8da8e914a599719aef89edb60','alice',NULL,'66f395d39f34ed3970043d125680eb6b',1795307936642,0,'text',X'7B2274657874223A2277686F20636F6D65733F227D',0,14,0,NULL,NULL,NULL,0);
    CREATE TABLE `operation` (`id` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `kind` TEXT NOT NULL,
      `message` INTEGER, `parameters` BLOB, `needs_preparation` INTEGER NOT NULL, `attempts` INTEGER NOT NULL,
      `outcome_is_unknown` INTEGER NOT NULL, `queued` INTEGER NOT NULL, `depends_on` INTEGER, `is_media`
      INTEGER NOT NULL, `is_parked` INTEGER NOT NULL, `failures` INTEGER NOT NULL, `waited` INTEGER NOT NULL,
      PRIMARY KEY (`id`)) STRICT;
    INSERT INTO operation VALUES(4,1,'send',3,NULL,0,4,0,1795307936637,NULL,0,0,0,0);
    INSERT INTO operation
      VALUES(5,2,'open',NULL,X'7B2267726F7570223A7B226964223A223364326435366630376132333462633439663137376330623937333939363565222C227469746C65223A2254726970222C226D656D62657273223A5B22626F62225D7D7D',0,0,0,1795307936640,NULL,0,0,0,0);
    INSERT INTO operation VALUES(6,2,'send',4,NULL,0,0,0,1795307936642,NULL,0,0,0,0);
    CREATE TABLE `span` (`conversation` INTEGER NOT NULL, `lower` INTEGER NOT NULL, `upper` INTEGER NOT NULL,
      `reaches_start` INTEGER NOT NULL, `lower_token` TEXT, `unread_below` INTEGER, `upper_token` TEXT, PRIMARY KEY
      (`conversation`, `lower`)) STRICT, WITHOUT ROWID;
    INSERT INTO span VALUES(1,1,2,1,NULL,0,NULL);
    CREATE TABLE `upload` (`hash` TEXT NOT NULL, `type` TEXT NOT NULL, `media` BLOB, `token` TEXT, `updated`
      INTEGER NOT NULL, PRIMARY KEY (`hash`, `type`)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX `conversation_ref_partial` ON `conversation` (`ref`) WHERE ref IS NOT NULL;
    CREATE UNIQUE INDEX `conversation_peer_partial` ON `conversation` (`peer`) WHERE peer IS NOT NULL AND type
      = 'direct';
    CREATE UNIQUE INDEX `message_id` ON `message` (`id`);
    CREATE UNIQUE INDEX `message_conversation_server_id_partial` ON `message` (`conversation`, `server_id`)
      WHERE server_id IS NOT NULL;
    CREATE UNIQUE INDEX `message_conversation_sender_message_id` ON `message` (`conversation`, `sender`,
      `message_id`);
    CREATE INDEX `message_conversation_rank_partial` ON `message` (`conversation`, `rank`) WHERE is_counted =
      1;
    CREATE INDEX `message_status_partial` ON `message` (`status`) WHERE status > 2;
    CREATE INDEX `operation_conversation` ON `operation` (`conversation`);
    CREATE INDEX `operation_message` ON `operation` (`message`);
    CREATE INDEX `operation_depends_on_partial` ON `operation` (`depends_on`) WHERE depends_on IS NOT NULL;
    """

  /// Version 4 with the additions of version 5.
  static let version5 =
    version4 + """

      ALTER TABLE `conversation` ADD COLUMN `cleared_time` INTEGER;
      CREATE INDEX `message_conversation_sender_status_time_partial` ON `message` (`conversation`, `sender`, `status`,
        `time`) WHERE rank < -1;
      """

  /// Version 5 with the additions of version 6, and an edit of a message that is not stored.
  static let version6 =
    version5 + """

      ALTER TABLE `message` ADD COLUMN `edited` INTEGER;
      ALTER TABLE `message` ADD COLUMN `reactions` BLOB;
      ALTER TABLE `message` ADD COLUMN `pending` BLOB;
      ALTER TABLE `operation` ADD COLUMN `target` INTEGER;
      CREATE INDEX `operation_target_partial` ON `operation` (`target`) WHERE target IS NOT NULL;
      CREATE TABLE `revised` (`conversation` INTEGER NOT NULL, `server_id` TEXT NOT NULL, `revision` INTEGER NOT
        NULL, `kind` TEXT NOT NULL, `payload` BLOB NOT NULL, `edited` INTEGER, `reactions` BLOB, `parameters` BLOB,
        PRIMARY KEY (`conversation`, `server_id`)) STRICT, WITHOUT ROWID;
      INSERT INTO revised VALUES(1,'43fe8a7356172820.0',1,'text',X'7B2274657874223A2265646974227D',1795307927530,NULL,NULL);
      ALTER TABLE `message` ADD COLUMN `quote` BLOB;
      CREATE TABLE `reply` (`message` INTEGER NOT NULL, `conversation` INTEGER NOT NULL, `target` INTEGER, `sender`
        TEXT NOT NULL, `message_id` TEXT, `server_id` TEXT, PRIMARY KEY (`message`)) STRICT;
      CREATE INDEX `reply_conversation` ON `reply` (`conversation`);
      CREATE INDEX `reply_target_partial` ON `reply` (`target`) WHERE target IS NOT NULL;
      CREATE INDEX `reply_conversation_sender_message_id_partial` ON `reply` (`conversation`, `sender`, `message_id`)
        WHERE target IS NULL;
      CREATE INDEX `reply_conversation_server_id_partial` ON `reply` (`conversation`, `server_id`) WHERE target IS
        NULL;
      ALTER TABLE `message` ADD COLUMN `mentions` BLOB;
      ALTER TABLE `message` ADD COLUMN `is_mention` INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX `message_conversation_rank_is_hidden_partial` ON `message` (`conversation`, `rank`, `is_hidden`)
        WHERE is_mention = 1;
      ALTER TABLE `conversation` ADD COLUMN `unread_mentions` INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE `conversation` ADD COLUMN `mentions_in_gaps` INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE `member` ADD COLUMN `delivered` INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE `member` ADD COLUMN `read` INTEGER NOT NULL DEFAULT 0;
      CREATE VIRTUAL TABLE `message_search` USING fts5(text, chat, tokenize = 'unicode61 remove_diacritics 2');
      ALTER TABLE `message` ADD COLUMN `search_id` INTEGER;
      CREATE UNIQUE INDEX `message_search_id_partial` ON `message` (`search_id`) WHERE search_id IS NOT NULL;
      ALTER TABLE `account` ADD COLUMN `unindexed_below` INTEGER NOT NULL DEFAULT 0;
      """

  /// Version 6 with the additions of version 7, a pinned message, a message with a waiting pin, and a pinned
  /// message that is not stored.
  static let version7 =
    version6 + """

      ALTER TABLE `message` ADD COLUMN `pinned` INTEGER;
      CREATE INDEX `message_conversation_pinned_partial` ON `message` (`conversation`, `pinned`) WHERE pinned IS NOT
        NULL;
      ALTER TABLE `revised` ADD COLUMN `pinned` INTEGER;
      ALTER TABLE `revised` ADD COLUMN `sender` TEXT NOT NULL DEFAULT '';
      ALTER TABLE `revised` ADD COLUMN `message_id` TEXT;
      ALTER TABLE `revised` ADD COLUMN `time` INTEGER NOT NULL DEFAULT 0;
      UPDATE revised SET pinned = 1795307927540, sender = 'bob', time = 1795307927000;
      UPDATE message SET pinned = 1795307927550 WHERE id = 1;
      UPDATE message SET pending = CAST('{"isRecalled":false,"pin":true,"reactions":[]}' AS BLOB) WHERE id = 2;
      INSERT INTO operation (id, conversation, kind, message, parameters, needs_preparation, is_media, is_parked,
        failures, waited, attempts, outcome_is_unknown, queued, target) VALUES (90, 1, 'revise', NULL,
        CAST('{"id":"a1","revision":{"pin":{"isSet":true}}}' AS BLOB), 0, 0, 0, 0, 0, 0, 0, 1795307927560, 2);
      UPDATE account SET next_operation = 91;
      """
  /// Version 6 with the additions of version 8, and a pinned message.
  static let version8 =
    version6 + """

      ALTER TABLE `revised` ADD COLUMN `sender` TEXT NOT NULL DEFAULT '';
      ALTER TABLE `revised` ADD COLUMN `message_id` TEXT;
      ALTER TABLE `revised` ADD COLUMN `time` INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE `message` ADD COLUMN `flags` BLOB;
      ALTER TABLE `revised` ADD COLUMN `flags` BLOB;
      CREATE INDEX `message_conversation_partial` ON `message` (`conversation`) WHERE flags IS NOT NULL;
      UPDATE message SET flags = CAST('{"pin":1795307927550}' AS BLOB) WHERE id = 1;
      """

  /// Version 8 with the indexes of version 9.
  static let version9 =
    version8 + """

      DROP INDEX `message_conversation_rank_partial`;
      DROP INDEX `message_conversation_rank_is_hidden_partial`;
      CREATE INDEX `message_conversation_is_counted_rank_is_hidden_partial` ON `message` (`conversation`, `is_counted`,
        `rank`, `is_hidden`) WHERE is_counted = 1;
      CREATE INDEX `message_conversation_is_mention_rank_is_hidden_partial` ON `message` (`conversation`, `is_mention`,
        `rank`, `is_hidden`) WHERE is_mention = 1;
      CREATE INDEX `message_conversation_rank_partial` ON `message` (`conversation`, `rank`) WHERE is_counted = 1 AND
        is_hidden = 1;
      CREATE INDEX `conversation_opening_key_partial` ON `conversation` (`opening_key`) WHERE opening_key IS NOT NULL;
      CREATE INDEX `conversation_id_partial` ON `conversation` (`id`) WHERE pending_read_mark IS NOT NULL;
      """

  /// Version 9 with the additions of version 10.
  static let version10 =
    version9 + """

      ALTER TABLE `account` ADD COLUMN `unsynced_boot` TEXT;
      CREATE INDEX `conversation_is_pinned_last_activity_is_muted_unread_count_partial` ON `conversation` (`is_pinned`,
        `last_activity`, `is_muted`, `unread_count`) WHERE is_closed = 0 AND is_hidden = 0;
      """

  /// Version 10 with the additions of version 11.
  static let version11 =
    version10 + """

      ALTER TABLE `conversation` ADD COLUMN `waiting_read_mark` TEXT;
      ALTER TABLE `member` ADD COLUMN `waiting_delivered` TEXT;
      ALTER TABLE `member` ADD COLUMN `waiting_read` TEXT;
      """

  /// Version 11 with the additions of version 12.
  static let version12 =
    version11 + """

      ALTER TABLE `message` ADD COLUMN `is_time_estimated` INTEGER NOT NULL DEFAULT 0;
      """

  /// Version 12 with the additions of version 13.
  static let version13 =
    version12 + """

      ALTER TABLE `conversation` ADD COLUMN `invitation` TEXT;
      ALTER TABLE `conversation` ADD COLUMN `inviter` TEXT;
      """

  /// Version 13 with the additions of version 14.
  static let version14 =
    version13 + """

      ALTER TABLE `conversation` ADD COLUMN `closed` INTEGER;
      """
}
