// Exports of other programs, with the tables and columns of their own schemas.

/** As `mysqldump` writes a database of daloRADIUS. */
export const daloradius = `-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`radcheck\`;
CREATE TABLE \`radcheck\` (
  \`id\` int(11) unsigned NOT NULL AUTO_INCREMENT,
  \`username\` varchar(64) NOT NULL DEFAULT '', \`attribute\` varchar(64) NOT NULL DEFAULT '',
  \`op\` char(2) NOT NULL DEFAULT '==', \`value\` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (\`id\`), KEY \`username\` (\`username\`(32))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`radcheck\` WRITE;
/*!40000 ALTER TABLE \`radcheck\` DISABLE KEYS */;
INSERT INTO \`radcheck\` VALUES (1,'ada','Cleartext-Password',':=','it\\'s; -- a \\'secret'),(2,'ada','Expiration',':=','20 Nov 2030'),(3,'ada','Max-All-Session',':=','86400'),(4,'bob','NT-Password',':=','8846F7EAEE8FB117AD06BDD830B7586C'),(5,'bob','Simultaneous-Use',':=','3'),(6,'cem','Password','==','cem-1'),(7,'dora','Crypt-Password',':=','!locked'),(8,'device','Auth-Type',':=','Accept'),(9,'${'x'.repeat(70)}','Cleartext-Password',':=','long'),(10,'eve','SHA2-256-Password',':=','5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'),(11,'fay','Cleartext-Password',':=','fay-1');
/*!40000 ALTER TABLE \`radcheck\` ENABLE KEYS */;
UNLOCK TABLES;
CREATE TABLE \`radreply\` (\`id\` int unsigned NOT NULL, \`username\` varchar(64), \`attribute\` varchar(64), \`op\` char(2), \`value\` varchar(253), PRIMARY KEY (\`id\`));
INSERT INTO \`radreply\` VALUES (1,'bob','Session-Timeout',':=','1800'),(2,'bob','Idle-Timeout',':=','300'),(3,'bob','Mikrotik-Rate-Limit',':=','512k/2M 0/0');
CREATE TABLE \`radusergroup\` (\`id\` int unsigned NOT NULL AUTO_INCREMENT, \`username\` varchar(64) NOT NULL DEFAULT '', \`groupname\` varchar(64) NOT NULL DEFAULT '', \`priority\` int(11) NOT NULL DEFAULT 1, PRIMARY KEY (\`id\`));
INSERT INTO \`radusergroup\` VALUES (1,'ada','staff',5),(2,'ada','students',1),(3,'cem','daloRADIUS-Disabled-Users',0),(4,'eve','students',1),(5,'fay','staff',1);
CREATE TABLE \`radgroupreply\` (\`id\` int unsigned NOT NULL, \`groupname\` varchar(64), \`attribute\` varchar(64), \`op\` char(2), \`value\` varchar(253));
INSERT INTO \`radgroupreply\` VALUES (1,'students','Mikrotik-Rate-Limit',':=','2M/4M');
CREATE TABLE \`userinfo\` (
  \`id\` INT(11) UNSIGNED NOT NULL AUTO_INCREMENT,
  \`username\` VARCHAR(128) DEFAULT NULL,
  \`firstname\` VARCHAR(200) DEFAULT NULL,
  \`lastname\` VARCHAR(200) DEFAULT NULL,
  \`email\` VARCHAR(200) DEFAULT NULL,
  \`department\` VARCHAR(200) DEFAULT NULL,
  \`company\` VARCHAR(200) DEFAULT NULL,
  \`workphone\` VARCHAR(200) DEFAULT NULL,
  \`homephone\` VARCHAR(200) DEFAULT NULL,
  \`mobilephone\` VARCHAR(200) DEFAULT NULL,
  \`address\` VARCHAR(200) DEFAULT NULL,
  \`city\` VARCHAR(200) DEFAULT NULL,
  \`state\` VARCHAR(200) DEFAULT NULL,
  \`country\` VARCHAR(100) DEFAULT NULL,
  \`zip\` VARCHAR(200) DEFAULT NULL,
  \`notes\` VARCHAR(200) DEFAULT NULL,
  PRIMARY KEY (\`id\`),
  KEY \`username\` (\`username\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO \`userinfo\` VALUES (1,'ada','Ada','Lövelace; "O\\'Brien"','ADA@example.com','','Acme','','','+90 530 123 45 67','','','','','','Regular guest');
CREATE TABLE \`radacct\` (\`radacctid\` bigint(21) NOT NULL AUTO_INCREMENT, \`acctsessionid\` varchar(64), \`username\` varchar(64));
INSERT INTO \`radacct\` VALUES (1,'450D4F23287600','ada'),(2,'450D510128ED00','bob'),(3,'4510EBBE341400','cem');
`;

/** As `pg_dump` writes a database of FreeRADIUS. */
export const freeradiusPostgres = `--
-- PostgreSQL database dump
--
CREATE TABLE public.radcheck (
    id integer NOT NULL,
    username text DEFAULT ''::text NOT NULL,
    attribute text DEFAULT ''::text NOT NULL,
    op character varying(2) DEFAULT '=='::character varying NOT NULL,
    value text DEFAULT ''::text NOT NULL
);
COPY public.radacct (radacctid, acctsessionid, username) FROM stdin;
1	a	pgada
\\.
COPY public.radcheck (id, username, attribute, op, value) FROM stdin;
1	pgada	Cleartext-Password	:=	back\\\\slash\\ttab
2	pgada	Expiration	:=	\\N
\\.
INSERT INTO public.radcheck VALUES (3, 'pgbob', 'Cleartext-Password', ':=', 'c:\\dir');
SELECT pg_catalog.setval('public.radcheck_id_seq', 3, true);
`;

/** As `mysqldump` writes a database of RADIUSdesk. */
export const radiusdesk = `-- MySQL dump 10.13  Distrib 8.0.36
CREATE TABLE \`permanent_users\` (
  \`id\` int(11) NOT NULL AUTO_INCREMENT,
  \`username\` varchar(255) NOT NULL,
  \`password\` varchar(50) NOT NULL,
  \`name\` varchar(50) NOT NULL,
  \`surname\` varchar(50) NOT NULL,
  \`phone\` varchar(50) NOT NULL,
  \`email\` varchar(100) NOT NULL,
  \`active\` tinyint(1) NOT NULL DEFAULT 0,
  \`profile\` varchar(50) NOT NULL DEFAULT '',
  \`from_date\` datetime DEFAULT NULL,
  \`to_date\` datetime DEFAULT NULL,
  PRIMARY KEY (\`id\`)
);
INSERT INTO \`permanent_users\` VALUES (1,'rdada','5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8','Ada','Lovelace','','ada@rd.example',1,'Data-Standard-1G',NULL,'2030-01-01 00:00:00'),(2,'rdbob','','Bob','B','','',0,'Data-Standard-1G',NULL,NULL);
INSERT INTO \`radcheck\` VALUES (1,'rdada','Cleartext-Password',':=','rd-secret'),(2,'rdada','User-Profile',':=','Data-Standard-1G'),(3,'rdbob','Cleartext-Password',':=','rd-secret-2');
CREATE TABLE \`vouchers\` (\`id\` int(11) NOT NULL, \`name\` varchar(64), \`batch\` varchar(128), \`status\` enum('new','used','depleted','expired') DEFAULT 'new', \`password\` varchar(30), \`profile\` varchar(50), \`expire\` datetime);
INSERT INTO \`vouchers\` VALUES (1,'sunny-day','May','new','rain1','Voucher-1D',NULL),(2,'used-up','May','depleted','rain2','Voucher-1D',NULL);
`;

/** As `/user-manager export show-sensitive` of RouterOS 7 writes it. */
export const userManager7 = `# 2026-11-20 12:00:00 by RouterOS 7.16
/user-manager profile
add name="Soir\\E9e 23h" name-for-users="" validity=1d
add name="g\\C3\\BCn" validity=1d
/user-manager user
add attributes=Mikrotik-Rate-Limit:2M/4M comment="Oda 12, \\"Ada\\"" name=um7ada \\
    password="p \\$1\\"\\\\" shared-users=2
add name=um7bob password=abc123
add name=um7nopass
/user-manager user-profile
add profile="Soir\\E9e 23h" user=um7ada
add profile="g\\C3\\BCn" user=um7bob
`;

/** As `/tool user-manager export` of RouterOS 6 writes it. */
export const userManager6 = `# nov/20/2026 12:00:00 by RouterOS 6.49.10
/tool user-manager customer
set admin access=own-routers,own-users
/tool user-manager user
add customer=admin disabled=no email=ada@example.com first-name=Ada last-name=Lovelace password=abc123 shared-users=1 username=um6ada wireless-enc-algo=none
add customer=admin disabled=yes name=um6bob password=abc124 shared-users=unlimited
create-and-activate-profile um6ada customer=admin profile=day
`;

/** Vouchers of UniFi Network, as a table. */
export const unifi = `Code,Create Time,Note,Duration,Status,Down,Up,Byte Quota
12345-67890,2026-11-01 10:00,Room 12,8 hours,Valid for one use,2 Mbps,512 Kbps,
2345678901,2026-11-01 10:00,,24 hours,Valid for multi-use,,,500
3456789012,2026-11-01 10:00,,8 hours,Expired,,,
`;
