import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { engines, openTestStore, type TestEngine } from '../../../test/support/engines.ts'
import { type KeyRing, keyRing, newKey } from '../../crypto/key-ring.ts'
import { openMasterKeyFile } from '../../crypto/master-key.ts'
import { keyIdOf, SealBroken } from '../../crypto/seal.ts'
import { accept } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { instant } from '../../kernel/instant.ts'
import { kind, type Store } from '../../store/index.ts'
import { keyRings } from './documents.ts'
import { type Resealer, rotateDataKey, rotateMasterKeyFile } from './rotate-keys.ts'
import { openVault, type Vault } from './vault.ts'

const safeEvents = declareEvents({ 'safe.filled.v1': data<{ secret: { sealed: string }; keyId: string }>() })

/** A kind with a sealed value, as small as it can be. */
const safes = kind({
  name: 'safe',
  version: 1,
  events: safeEvents,
  decider: {
    initial: { secret: { sealed: '' }, keyId: '' },
    evolve: (_, { data }: EventOf<typeof safeEvents>) => data,
    decide: (sealed: string) =>
      accept({ type: 'safe.filled.v1', data: { secret: { sealed }, keyId: keyIdOf(sealed) ?? '' } } as const),
  },
  refusals: {},
  fields: { keyId: { path: ['keyId'], type: 'text' } },
})

const origin = { actor: 'test', at: instant(1000) }
function place(id: string) {
  return { kind: safes.name, id, member: 'sealed' }
}

function fill(store: Store, vault: Vault, id: string, text: string) {
  return store.write(origin, async (work) => work.decide(safes, id, await vault.seal(work, place(id), text), 'owner'))
}

async function look(store: Store, vault: Vault, id: string) {
  return vault.open(place(id), (await store.get(safes, id))?.state.secret.sealed ?? '')
}

function resealer(store: Store): Resealer {
  return {
    kind: safes.name,
    async reseal(vault, keyId, limit) {
      const { documents } = await store.find(safes, { where: { not: { field: 'keyId', equals: keyId } }, limit })
      for (const { id } of documents) {
        await store.write(origin, async (work) => {
          const sealed = (await work.get(safes, id))?.state.secret.sealed ?? ''
          if (keyIdOf(sealed) === keyId) return
          await work.decide(safes, id, await vault.seal(work, place(id), await vault.open(place(id), sealed)))
        })
      }
      return documents.length
    },
  }
}

function openStore(engine: TestEngine) {
  return openTestStore([keyRings, safes], engine)
}
function open(store: Store, ring: KeyRing) {
  return openVault({ store, masterKeys: async () => ring, instanceId: 'instance', origin })
}

for (const engine of engines) {
  suite(`the vault on ${engine.name}`, () => {
    test('what was sealed opens again, on every node that has the master key', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      const vault = await open(store, master)
      await fill(store, vault, 'a', 'the secret')
      const node = await another()
      assert.equal(await look(node, await open(node, master), 'a'), 'the secret')
      assert.ok(!JSON.stringify(await store.events({ limit: 100 })).includes('the secret'))
    })

    test('nodes that start at once share one data key', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      await Promise.all([store, await another(), store].map((node) => open(node, master)))
      assert.equal((await store.events({ kinds: [keyRings.name], limit: 10 })).length, 1)
    })

    test('with another master key it does not open at all', async (t) => {
      const { store, dispose } = await openStore(engine)
      t.after(dispose)
      await open(store, keyRing([newKey()]))
      await assert.rejects(open(store, keyRing([newKey()])), SealBroken)
    })

    test('a sealed value moved to another document does not open', async (t) => {
      const { store, dispose } = await openStore(engine)
      t.after(dispose)
      const vault = await open(store, keyRing([newKey()]))
      await fill(store, vault, 'a', 'of a')
      await fill(store, vault, 'b', 'of b')
      const sealed = (await store.get(safes, 'a'))?.state.secret.sealed ?? ''
      await store.write(origin, (work) => work.decide(safes, 'b', sealed))
      await assert.rejects(look(store, vault, 'b'), SealBroken)
    })

    test('a short code is known to the node that did not make it', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      const vault = await open(store, master)
      const { value: hash } = await store.write(origin, (work) => vault.hashCode(work, ['email', 'u'], '1234'))
      const elsewhere = await open(await another(), master)
      assert.equal(await elsewhere.matchesCode(['email', 'u'], '1234', hash), true)
      assert.equal(await elsewhere.matchesCode(['phone', 'u'], '1234', hash), false)
    })

    test('rotation under load loses nothing, and afterwards the old keys are not needed', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const oldMaster = newKey()
      const nextMaster = newKey()
      const both = keyRing([nextMaster, oldMaster])
      const before = await open(store, keyRing([oldMaster]))
      for (let index = 0; index < 30; index++) await fill(store, before, `old-${index}`, `text ${index}`)

      const node = await another()
      const busy = await open(node, both)
      let done = false
      const load = (async () => {
        const written: string[] = []
        for (let index = 0; !done || index < 10; index++) {
          await fill(node, busy, `new-${index}`, `text ${index}`)
          assert.equal(await look(node, busy, `old-${index % 30}`), `text ${index % 30}`)
          written.push(`new-${index}`)
        }
        return written
      })()
      const needs = { store, masterKeys: async () => both, instanceId: 'instance', origin }
      const rotation = await rotateDataKey({ ...needs, resealers: [resealer(store)] })
      done = true
      const written = await load

      assert.equal(rotation.removedKeyIds.length, 1)
      assert.ok(rotation.resealed >= 30)
      await store.rebuild()
      const after = await open(store, keyRing([nextMaster]))
      for (let index = 0; index < 30; index++) assert.equal(await look(store, after, `old-${index}`), `text ${index}`)
      for (const id of written) assert.equal(await look(store, after, id), `text ${id.slice(4)}`)
    })

    test('a value that was being sealed while the key was replaced is sealed again, with the new one', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      const vault = await open(store, master)
      const command = await another()
      const needs = { store: command, masterKeys: async () => master, instanceId: 'instance', origin }
      let rounds = 0
      await store.write(origin, async (work) => {
        const sealed = await vault.seal(work, place('a'), 'in between')
        if (rounds++ === 0) await rotateDataKey({ ...needs, resealers: [resealer(command)] })
        return work.decide(safes, 'a', sealed, 'owner')
      })
      assert.equal(rounds, 2)
      assert.equal(await look(command, await open(command, master), 'a'), 'in between')
    })

    test('a value that was read before its key left the ring still opens', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      const vault = await open(store, master)
      await fill(store, vault, 'a', 'read early')
      const sealed = (await store.get(safes, 'a'))?.state.secret.sealed ?? ''
      const command = await another()
      const needs = { store: command, masterKeys: async () => master, instanceId: 'instance', origin }
      await rotateDataKey({ ...needs, resealers: [resealer(command)] })
      assert.equal(await vault.open(place('a'), sealed), 'read early')
      await assert.rejects((await open(command, master)).open(place('a'), sealed), SealBroken)
    })

    test('rotation of the key file is noticed by a node that runs', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      const dataDir = await mkdtemp(join(tmpdir(), 'signet-vault-'))
      t.after(async () => {
        await dispose()
        await rm(dataDir, { recursive: true, force: true })
      })
      const masterKeys = () => openMasterKeyFile(dataDir)
      const running = await openVault({ store, masterKeys, instanceId: 'instance', origin })
      await fill(store, running, 'a', 'before')
      const old = await masterKeys()
      const command = await another()
      await rotateMasterKeyFile({
        store: command,
        instanceId: 'instance',
        origin,
        resealers: [resealer(command)],
        dataDir,
      })
      assert.equal(await look(store, running, 'a'), 'before')
      await fill(store, running, 'b', 'after')
      assert.equal(await look(store, running, 'b'), 'after')
      assert.equal((await masterKeys()).find(old.active.id), undefined)
      await assert.rejects(open(store, old), SealBroken)
    })
  })
}
