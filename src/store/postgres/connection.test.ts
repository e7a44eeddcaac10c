import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { listTargets } from './connection.ts'

suite('PostgreSQL: the URL', () => {
  test('a list of hosts becomes one connection string for each', () => {
    assert.deepEqual(
      listTargets('postgres://me:secret@a,b:5433,[::1]:5434/db?target_session_attrs=read-write&sslmode=require'),
      [
        'postgres://me:secret@a/db?sslmode=require',
        'postgres://me:secret@b:5433/db?sslmode=require',
        'postgres://me:secret@[::1]:5434/db?sslmode=require',
      ],
    )
    assert.deepEqual(listTargets('postgresql://localhost'), ['postgresql://localhost'])
  })

  test('a pooler is named by its mode, and an unknown mode is refused', () => {
    assert.deepEqual(listTargets('postgres://a,b/db?pool_mode=transaction'), [
      'postgres://a/db?pool_mode=transaction',
      'postgres://b/db?pool_mode=transaction',
    ])
    assert.throws(() => listTargets('postgres://a/db?pool_mode=statement'), /pool_mode=statement: the modes/)
  })

  test('a URL that asks for a standby and an invalid one are refused without repeating the password', () => {
    assert.throws(() => listTargets('postgres://a/db?target_session_attrs=standby'), /only the primary/)
    assert.throws(
      () => listTargets('mysql://me:secret@a/db'),
      (error: Error) => !error.message.includes('secret'),
    )
  })
})
