/** What only PostgreSQL has; what both engines must do is tested for both together. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accounts, openAccount } from '../../../test/support/accounts.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { findPostgres, freshDatabase } from '../../../test/support/postgres.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Commit, Engine } from '../engine.ts'
import { openStore, type Query } from '../index.ts'
import { type FinishedQuery, NO_OBSERVER } from '../observer.ts'
import { compileQuery } from '../query/index.ts'
import { texts } from './arrays.ts'
import { connect } from './connection.ts'
import { isRolledBack, translateError } from './errors.ts'
import { openPostgres } from './index.ts'
import { migrations } from './migrations.ts'
import { findDocuments } from './read.ts'

suite('PostgreSQL: errors of the driver', () => {
  const fromServer = (code: string, severity: string): pg.DatabaseError =>
    Object.assign(new pg.DatabaseError('words of the server', 0, 'error'), { code, severity })

  test('a passing problem is unavailable, another error is a fault, and both keep their cause', () => {
    const passing = [
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      new Error('Connection terminated unexpectedly'),
      new Error('Query read timeout'),
      fromServer('57P01', 'FATAL'),
      fromServer('57014', 'ERROR'),
      fromServer('53100', 'ERROR'),
      fromServer('25006', 'ERROR'),
      fromServer('40P01', 'ERROR'),
    ]
    for (const error of passing) {
      const translated = translateError(error)
      assert.ok(translated instanceof Refused && translated.code === 'store.unavailable', error.message)
      assert.equal(translated.cause, error)
      assert.ok(!translated.message.includes('words of the server'))
    }
    const fault = translateError(fromServer('42601', 'ERROR'))
    assert.ok(!(fault instanceof Refused))
  })

  test('only an answer of the server counts as rolled back', () => {
    assert.ok(isRolledBack(fromServer('23505', 'ERROR')))
    assert.ok(!isRolledBack(fromServer('57P01', 'FATAL')))
    assert.ok(!isRolledBack(new Error('Connection terminated unexpectedly')))
  })
})

async function openClient(t: TestContext): Promise<{ client: pg.Client; url: string }> {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  afterwards(t, () => client.end())
  return { client, url: database.url }
}

async function openEngine(t: TestContext, url: string): Promise<Engine> {
  const engine = await openPostgres({ url })
  afterwards(t, () => engine.close())
  return engine
}

suite('PostgreSQL: preparing', { skip: !findPostgres() }, () => {
  const indexesOf = async (client: pg.Client): Promise<string[]> => {
    const { rows } = await client.query(
      `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indisvalid and c.relname like 'documents.account.%'`,
    )
    return rows.map(({ name }) => name)
  }

  test('an interrupted migration leaves nothing behind but locks, and the next start completes it', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await client.query(`create function halt() returns event_trigger language plpgsql as
      $$ begin perform pg_sleep(60); end $$;
      create event trigger halt on ddl_command_start when tag in ('CREATE FUNCTION') execute function halt()`)
    const cutOff = assert.rejects(engine.prepare([accounts]), { code: 'store.unavailable' })
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`
    while ((await client.query(terminate)).rows.length === 0) await sleep(10)
    await cutOff
    await client.query('drop event trigger halt')
    const { rows: tables } = await client.query(`select tablename from pg_tables where schemaname = current_schema()`)
    assert.deepEqual(tables, [{ tablename: 'versions' }])
    const { rows: names } = await client.query(`select name from versions where name not like 'lock.%'`)
    assert.deepEqual(names, [])
    const store = await openStore(engine, [accounts])
    await openAccount(store, 'one')
    await store.ping()
  })

  test('a broken index is built again, and one that no field declares is dropped', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    const [name] = await indexesOf(client)
    assert.ok(name)
    await client.query(`update pg_index set indisvalid = false where indexrelid = '"${name}"'::regclass`)
    await client.query(`create index "documents.account.former.12345678" on documents (owner) where kind = 'account'`)
    await engine.prepare([accounts])
    assert.deepEqual(await indexesOf(client), [name])
  })

  test('an index that no field declares stays while a node of another release is running', async (t) => {
    const { client, url } = await openClient(t)
    const other = await openPostgres({ url, release: 'other' })
    afterwards(t, () => other.close())
    await other.prepare([accounts])
    await client.query(`create index "documents.account.other.12345678" on documents (owner) where kind = 'account'`)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    assert.equal((await indexesOf(client)).length, 2)
    await other.close()
    await engine.prepare([accounts])
    assert.equal((await indexesOf(client)).length, 1)
  })

  test('indexes of a big table are built while others write', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([])
    await client.query(
      `insert into documents select 1, 'account', n::text, 'o', '{"name":"n"}', false, 1, n, 0, 0 from generate_series(1, 10001) n`,
    )
    const writing = new pg.Client({ connectionString: url, lock_timeout: 2_000 })
    await writing.connect()
    afterwards(t, () => writing.end())
    await client.query(`begin; update documents set owner = 'other' where id = '1'`)
    const prepared = engine.prepare([accounts])
    const isBuilding = `select from pg_stat_activity where datname = current_database() and query like 'create index%'
      and wait_event_type = 'Lock'`
    while ((await writing.query(isBuilding)).rows.length === 0) await sleep(10)
    // The index waits for the open transaction; a plain `create index` would make every other write wait behind it.
    await writing.query(`update documents set owner = 'other' where id = '2'`)
    await client.query('commit')
    await prepared
    assert.equal((await indexesOf(client)).length, 1)
  })

  test('a database of a newer program is left alone', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    await client.query(`update versions set version = 1000 where name in ('schema', 'schema.oldest')`)
    await assert.rejects(engine.prepare([accounts]), { name: 'NodeOutdated', message: /schema version 1000/ })
    await client.query(`update versions set version = 1000 where name = 'schema'`)
    await client.query(`delete from versions where name = 'schema.oldest'`)
    await assert.rejects(engine.prepare([accounts]), /schema version 1000/)
  })

  test('a node runs on the schema of a newer program that only added to it', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    await client.query(`update versions set version = version + 1 where name = 'schema'`)
    const store = await openStore(engine, [accounts])
    const id = await openAccount(store, 'one')
    assert.equal((await store.get(accounts, id))?.state.name, 'one')
    const { rows } = await client.query(`select version from versions where name = 'schema'`)
    assert.deepEqual(rows, [{ version: migrations.length + 1 }])
  })
})

suite('PostgreSQL: statistics', { skip: !findPostgres() }, () => {
  test('PostgreSQL knows how often the values of a field occur', async (t) => {
    const { client, url } = await openClient(t)
    const insert = (from: number, count: number) =>
      client.query(
        `insert into documents select 1, 'account', 'id-' || n, 'org', '{"name": "same"}', false, 1, n, 1, 1
         from generate_series(${from}, ${from + count - 1}) n`,
      )
    const expected = async (name: string): Promise<number> => {
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(
        `explain select from documents where kind = 'account' and not gone and (state->>'name') collate "C" = '${name}'`,
      )
      return Number(/rows=(\d+)/.exec(rows[0]?.['QUERY PLAN'] ?? '')?.[1])
    }
    await (await openEngine(t, url)).prepare([accounts])
    await insert(1, 1_000)
    await client.query('analyze documents')
    assert.equal(await expected('same'), 1_000)
    assert.equal(await expected('other'), 1)
    // Of a large table that was filled before, they are computed at the start.
    await insert(1_001, 10_000)
    const { rows } = await client.query<{ name: string }>('select stxname as name from pg_statistic_ext')
    for (const { name } of rows) await client.query(`drop statistics "${name}"`)
    assert.ok((await expected('same')) < 1_000)
    await (await openEngine(t, url)).prepare([accounts])
    assert.equal(await expected('same'), 11_000)
  })
})

suite('PostgreSQL: long lists', { skip: !findPostgres() }, () => {
  test('a page with a known total is the one of its order, wherever its documents are stored', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    await client.query(
      `insert into documents select 1, 'account', 'id-' || n, 'org', jsonb_build_object('name', 'n' || n % 7), false, 1, n,
         10000 - n, 1 from generate_series(1, 6000) n`,
    )
    const connection = await connect({ targets: [url], connectTimeoutMs: 3_000, statementTimeoutMs: 0 })
    t.after(() => connection.end())
    const idsOf = async (query: Query) => {
      const compiled = compileQuery(accounts, query, engine.dialect)
      return (await findDocuments(connection, { ...compiled, knownTotal: 6_000 })).rows.map(({ id }) => id)
    }
    assert.deepEqual(await idsOf({ limit: 2, offset: 1 }), ['id-5999', 'id-5998'])
    const where = { field: 'name', equals: 'n3' } as const
    assert.deepEqual(await idsOf({ where, limit: 2 }), ['id-5995', 'id-5988'])
    // The first 5 000 in this order contain none.
    assert.deepEqual(await idsOf({ where: { field: 'createdAt', above: 9_998 }, limit: 1 }), ['id-1'])
  })
})

suite('PostgreSQL: batches', { skip: !findPostgres() }, () => {
  const commitOf = (id: string, more: Partial<Commit> = {}, expected = 0, events = 1): Commit => ({
    actor: 'tester',
    at: instant(7),
    changes: [
      {
        kind: 'account',
        id,
        owner: 'org',
        expected,
        events: Array.from({ length: events }, (_, index) => ({ type: 'account.changed.v1', data: `{"n":${index}}` })),
        state: `{"name":"${id}"}`,
        gone: false,
        sameFields: false,
      },
    ],
    guards: [],
    removed: [],
    claims: [],
    released: [],
    jobs: [],
    counts: [],
    ...more,
  })
  const claim = (value: string, id: string) => ({ kind: 'account.name', value, id, of: 'account' })

  test('failed commits of a batch leave no gap and no trace, the others get their own sequence', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    await engine.commit([commitOf('a', { claims: [claim('x', 'a')] }, 0, 2)])
    const job = { id: 'job', kind: 'mail', data: '{}', dueAt: instant(0) }
    const outcomes = await engine.commit([
      commitOf('b', {}, 0, 3),
      commitOf('a', { jobs: [job] }, 1),
      commitOf('c', { claims: [claim('free', 'c'), claim('x', 'c')], jobs: [{ ...job, id: 'other' }] }, 0, 2),
      commitOf('d', { guards: [{ kind: 'account', id: 'a', expected: 1 }] }),
      { ...commitOf('none'), changes: [], guards: [{ kind: 'account', id: 'a', expected: 2 }] },
      commitOf('e', { guards: [{ kind: 'account', id: 'a', expected: 2 }], claims: [claim('y', 'e')] }, 0, 2),
    ])
    assert.deepEqual(outcomes, [
      { type: 'committed', sequence: 5 },
      { type: 'conflict' },
      { type: 'taken', index: 1 },
      { type: 'conflict' },
      { type: 'committed', sequence: 5 },
      { type: 'committed', sequence: 7 },
    ])
    const log = await engine.events({ limit: 100 })
    assert.deepEqual(
      log.map(({ sequence, id, revision }) => [sequence, id, revision]),
      [
        [1, 'a', 1],
        [2, 'a', 2],
        [3, 'b', 1],
        [4, 'b', 2],
        [5, 'b', 3],
        [6, 'e', 1],
        [7, 'e', 2],
      ],
    )
    assert.equal((await engine.get('account', 'e'))?.sequence, 7)
    assert.equal(await engine.get('account', 'c'), undefined)
    assert.equal(await engine.findClaimHolder('account.name', 'free'), undefined)
    assert.deepEqual(await engine.countJobs(), { waiting: 0, parked: 0 })
    assert.deepEqual((await client.query('select sequence from instances')).rows, [{ sequence: '7' }])
  })

  test('a claim passes from one holder to another within one commit, and is taken again by its own holder', async (t) => {
    const { url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    await engine.commit([commitOf('a', { claims: [claim('x', 'a')] })])
    const passed = commitOf('b', { claims: [claim('x', 'b')], released: [claim('x', 'a')] })
    assert.deepEqual(await engine.commit([passed]), [{ type: 'committed', sequence: 2 }])
    const again = commitOf('b', { claims: [claim('x', 'b')] }, 1)
    assert.deepEqual(await engine.commit([again]), [{ type: 'committed', sequence: 3 }])
    assert.equal(await engine.findClaimHolder('account.name', 'x'), 'b')
  })

  test('holders of claims and documents that are asked for at one moment are read in one statement', async (t) => {
    const { url } = await openClient(t)
    const statements: string[] = []
    const observer = { ...NO_OBSERVER, queried: ({ operation }: FinishedQuery) => statements.push(operation) }
    const engine = await openPostgres({ url, observer })
    afterwards(t, () => engine.close())
    await engine.prepare([accounts])
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`)
    await engine.commit(names.map((name) => commitOf(`of ${name}`, { claims: [claim(name, `of ${name}`)] })))
    statements.length = 0
    const holders = names.map((name) => engine.findClaimHolder('account.name', name))
    const documents = names.map((name) => engine.get('account', `of ${name}`))
    assert.equal(await engine.findClaimHolder('account.name', 'nobody'), undefined)
    assert.deepEqual(
      await Promise.all(holders),
      names.map((name) => `of ${name}`),
    )
    assert.deepEqual(
      (await Promise.all(documents)).map((row) => row?.id),
      names.map((name) => `of ${name}`),
    )
    // One asks what has changed since the cache was made; a node that is seen for the first time asks who it is.
    assert.deepEqual(
      statements.filter((operation) => operation !== 'node'),
      ['get'],
    )
  })

  test('every commit is durable although the database asks for less', async (t) => {
    const { client, url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    const database = (await client.query('select current_database() as name')).rows[0].name
    await client.query(`alter database ${database} set synchronous_commit = off`)
    await client.query(`create table seen (value text); create function note() returns trigger language plpgsql as
      $$ begin insert into seen values (current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger note after insert on events initially deferred for each row execute function note();
      create constraint trigger note after insert on writers initially deferred for each row execute function note()`)
    const fresh = await openEngine(t, url)
    await fresh.commit([commitOf('a')])
    // The first one asks whether an earlier batch was written, and an answer is as good as a commit.
    assert.deepEqual((await client.query('select value from seen')).rows, [{ value: 'on' }, { value: 'on' }])
  })

  test('a text that cannot be stored is never found, and fails neither reads nor commits beside it', async (t) => {
    const { url } = await openClient(t)
    const engine = await openEngine(t, url)
    await engine.prepare([accounts])
    assert.deepEqual(await engine.commit([commitOf('a'), commitOf('\0'), commitOf('b')]), [
      { type: 'committed', sequence: 1 },
      { type: 'conflict' },
      { type: 'committed', sequence: 2 },
    ])
    const reads = [engine.get('account', 'a'), engine.get('account', 'a\0'), engine.get('account', '\ud800')]
    assert.deepEqual(
      (await Promise.all(reads)).map((row) => row?.revision),
      [1, undefined, undefined],
    )
    assert.equal(await engine.findClaimHolder('account.name', '\0'), undefined)
    assert.equal((await engine.events({ types: ['account.changed.v1', '\0'], limit: 9 })).length, 2)
    assert.deepEqual(await engine.events({ id: '\0', limit: 9 }), [])
  })

  test('texts of every kind arrive as they were sent', async (t) => {
    const { client } = await openClient(t)
    const values = ['', ' ', '"', '\\', '{}', 'NULL', 'ß', '漢字', '👩‍👩‍👧', '\u0001\t\n', '%$1'.repeat(1_000)]
    const { rows } = await client.query('select unnest($1::text[]) as value', [texts(values, (value) => value)])
    assert.deepEqual(
      rows.map(({ value }) => value),
      values,
    )
    const empty = await client.query('select cardinality($1::text[]) as count', [texts([], () => '')])
    assert.deepEqual(empty.rows, [{ count: 0 }])
  })
})
