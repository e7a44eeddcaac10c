/**
 * The providers on a sign-in page, while other organizations have ten of them and while they have ten thousand. Before
 * each reading some provider changes, so that nothing that was kept answers it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type IdentityProviderCommand,
  identityProviders,
  providersForSignIn,
} from '../src/features/identity-providers/index.ts'
import { settings } from '../src/features/settings/index.ts'
import { newId } from '../src/kernel/id.ts'
import { systemClock } from '../src/kernel/instant.ts'
import type { App } from '../src/module/app.ts'
import type { Engine } from '../src/store/engine.ts'
import { openStore, type Store } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { openSqlite } from '../src/store/sqlite/index.ts'
import { median } from './statistics.ts'
import type { Row } from './table.ts'

const FEW = 10
const MANY = 10_000
const OWN = 3
const SAMPLES = 500
const INSTANCE = newId()
const ORGANIZATION = newId()

function addition(owner: string, name: string): IdentityProviderCommand {
  return {
    type: 'add',
    owner,
    styling: 'unspecified',
    providerType: 'oidc',
    name,
    options: {
      isLinkingAllowed: true,
      isCreationAllowed: true,
      isAutoCreation: false,
      isAutoUpdate: false,
      autoLinking: 'none',
    },
    connection: {
      protocol: 'oidc',
      issuer: 'https://accounts.example.com',
      clientId: 'signet',
      scopes: ['openid', 'profile', 'email'],
      usesPkce: true,
      displayNameMapping: 'unspecified',
      userNameMapping: 'unspecified',
      mapsIdToken: false,
    },
  }
}

function add(store: Store, owner: string, name: string) {
  return store.write({ actor: { user: 'bench' }, at: systemClock() }, (work) =>
    work.decide(identityProviders, newId(), addition(owner, name), owner),
  )
}

/** A store with the providers of one sign-in page and those of `others` organizations. */
async function openFilled(engine: Engine, others: number): Promise<Store> {
  const store = await openStore(engine, [identityProviders, settings])
  for (const owner of [INSTANCE, ORGANIZATION]) {
    for (let index = 0; index < OWN; index++) await add(store, owner, `Provider ${index}`)
  }
  let left = others
  const fill = async () => {
    while (left-- > 0) await add(store, newId(), 'Provider')
  }
  await Promise.all(Array.from({ length: 256 }, fill))
  return store
}

/** Milliseconds of one reading; a provider of nobody else's page has changed before. */
async function timeToList(store: Store): Promise<number> {
  // As much of an app as the reading needs.
  const app = { store, instanceId: INSTANCE } as App
  await add(store, newId(), 'Provider')
  const began = performance.now()
  const found = await providersForSignIn(app, ORGANIZATION)
  const time = performance.now() - began
  if (found.length !== 2 * OWN) throw new Error(`${found.length} providers are on the page`)
  return time
}

async function benchStores(name: string, few: Store, many: Store): Promise<Row[]> {
  const times: { readonly few: number[]; readonly many: number[] } = { few: [], many: [] }
  for (let sample = -50; sample < SAMPLES; sample++) {
    const [least, most] = [await timeToList(few), await timeToList(many)]
    if (sample < 0) continue
    times.few.push(least)
    times.many.push(most)
  }
  const [least, most] = [median(times.few), median(times.many)]
  return [
    { what: `providers of a sign-in page, ${name}, among ${FEW} others`, figure: `${least.toFixed(3)} ms` },
    {
      what: `providers of a sign-in page, ${name}, among 10,000 others`,
      figure: `${most.toFixed(3)} ms`,
      ratio: most / least,
      of: `among ${FEW}`,
      aim: '≤ 200 %',
    },
  ]
}

/** Two stores of each engine, asked in turn, so that both see the same machine. */
export async function benchProviders(databaseUrls: readonly [string, string] | undefined): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
  const benchEngines = async (name: string, few: Engine, many: Engine): Promise<Row[]> => {
    const stores = [await openFilled(few, FEW), await openFilled(many, MANY)] as const
    const rows = await benchStores(name, ...stores)
    for (const store of stores) await store.close()
    return rows
  }
  const file = (name: string) => openSqlite({ file: join(folder, name) })
  const rows = await benchEngines('SQLite', await file('few.db'), await file('many.db'))
  await rm(folder, { recursive: true })
  if (databaseUrls === undefined) return rows
  const [few, many] = databaseUrls
  return [
    ...rows,
    ...(await benchEngines('PostgreSQL', await openPostgres({ url: few }), await openPostgres({ url: many }))),
  ]
}
