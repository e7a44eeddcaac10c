import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { bothEngines, openTestStore, type TestEngine } from '../../../test/support/engines.ts'
import { type KeyRing, keyRing, newKey } from '../../crypto/key-ring.ts'
import { openMasterKeyFile } from '../../crypto/master-key.ts'
import { SealBroken, seal as sealText } from '../../crypto/seal.ts'
import { accept } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { instant } from '../../kernel/instant.ts'
import type { Vault } from '../../module/app.ts'
import { kind, type Store } from '../../store/index.ts'
import { keyRings } from './documents.ts'
import { rotateDataKey, rotateMasterKeyFile } from './rotate-keys.ts'
import { openVault } from './vault.ts'

const safeEvents = declareEvents({ 'safe.filled.v1': data<{ secret: { sealed: string } }>() })

/** A kind with a sealed value, as small as it can be. */
const safes = kind({
  name: 'safe',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: safeEvents,
  decider: {
    initial: { secret: { sealed: '' } },
    evolve: (_, { data }: EventOf<typeof safeEvents>) => data,
    decide: (sealed: string) => accept({ type: 'safe.filled.v1', data: { secret: { sealed } } } as const),
  },
  refusals: {},
  fields: {},
  sealed: ({ secret }) => [{ member: 'sealed', text: secret.sealed, reseal: (after) => after }],
})

const origin = { actor: { user: 'test' }, at: instant(1000) } as const
function place(id: string) {
  return { kind: safes.name, id, member: 'sealed' }
}

function fill(store: Store, vault: Vault, id: string, text: string) {
  return store.write(origin, async (work) => work.decide(safes, id, await vault.seal(work, place(id), text), 'owner'))
}

async function look(store: Store, vault: Vault, id: string) {
  return vault.open(place(id), (await store.get(safes, id))?.state.secret.sealed ?? '')
}

const resealed = { kinds: [safes], sealedJobs: [], clock: () => origin.at }

function openStore(engine: TestEngine) {
  return openTestStore([keyRings, safes], engine)
}
function open(store: Store, ring: KeyRing) {
  return openVault({ store, masterKeys: async () => ring, instanceId: 'instance', origin })
}

for (const engine of bothEngines) {
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

    test('a signed text is read by every node, for its purpose alone, and not when anything was changed', async (t) => {
      const { store, another, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      const vault = await open(store, master)
      const signed = await vault.sign(['cookie', 'a'], '{"text":"ü"}')
      assert.match(signed, /^[\w.-]+$/)
      const elsewhere = await open(await another(), master)
      assert.equal(await elsewhere.readSigned(['cookie', 'a'], signed), '{"text":"ü"}')
      assert.equal(await elsewhere.readSigned(['cookie', 'b'], signed), undefined)
      assert.equal(await elsewhere.readSigned(['cookie'], signed), undefined)
      for (let place = 0; place < signed.length; place++) {
        const other = signed[place] === 'A' ? 'B' : 'A'
        const changed = `${signed.slice(0, place)}${other}${signed.slice(place + 1)}`
        assert.equal(await elsewhere.readSigned(['cookie', 'a'], changed), undefined, changed)
      }
      for (const broken of ['', '.', '...', `${signed}.`, `${signed}A`, signed.slice(0, -1), `.${signed}`]) {
        assert.equal(await elsewhere.readSigned(['cookie', 'a'], broken), undefined, broken)
      }
      await rotateDataKey({ store, masterKeys: async () => master, instanceId: 'instance', ...resealed })
      const later = await open(store, master)
      assert.equal(await later.readSigned(['cookie', 'a'], signed), undefined)
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
      const options = { store, masterKeys: async () => both, instanceId: 'instance', ...resealed }
      const rotation = await rotateDataKey(options)
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
      const options = { store: command, masterKeys: async () => master, instanceId: 'instance', ...resealed }
      let rounds = 0
      await store.write(origin, async (work) => {
        const sealed = await vault.seal(work, place('a'), 'in between')
        if (rounds++ === 0) await rotateDataKey(options)
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
      const options = { store: command, masterKeys: async () => master, instanceId: 'instance', ...resealed }
      await rotateDataKey(options)
      assert.equal(await vault.open(place('a'), sealed), 'read early')
      await assert.rejects((await open(command, master)).open(place('a'), sealed), SealBroken)
    })

    test('rotation seals any number of values again', async (t) => {
      const { store, dispose } = await openStore(engine)
      t.after(dispose)
      const oldMaster = newKey()
      const nextMaster = newKey()
      const before = await open(store, keyRing([oldMaster]))
      const ids = Array.from({ length: 1150 }, (_, index) => `safe-${index}`)
      await store.write(origin, async (work) => {
        for (const id of ids) await work.decide(safes, id, await before.seal(work, place(id), id), 'owner')
      })
      const masterKeys = async () => keyRing([nextMaster, oldMaster])
      const progress = { done: 0, total: 0 }
      const rotation = await rotateDataKey({ store, masterKeys, instanceId: 'instance', ...resealed, progress })
      assert.equal(rotation.resealed, ids.length)
      assert.deepEqual(progress, { done: ids.length, total: ids.length })
      const after = await open(store, keyRing([nextMaster]))
      for (const id of ids) assert.equal(await look(store, after, id), id)
    })

    test('what no key of the ring can open does not stop the rotation', async (t) => {
      const { store, dispose } = await openStore(engine)
      t.after(dispose)
      const master = keyRing([newKey()])
      const vault = await open(store, master)
      await fill(store, vault, 'a', 'good')
      const lost = sealText(keyRing([newKey()]), place('b'), 'lost')
      await store.write(origin, (work) => work.decide(safes, 'b', lost, 'owner'))
      const options = { store, masterKeys: async () => master, instanceId: 'instance', ...resealed }
      assert.equal((await rotateDataKey(options)).resealed, 1)
      assert.equal(await look(store, await open(store, master), 'a'), 'good')
      assert.equal((await store.get(safes, 'b'))?.state.secret.sealed, lost)
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
        ...resealed,
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
