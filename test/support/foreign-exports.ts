/** Small exports of other products with throw-away values, and what is read from them. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { AnyDraft, Remark, Source } from '../../src/cli/import/draft.ts'
import { type KeycloakOptions, openKeycloak } from '../../src/cli/import/keycloak/source.ts'

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** A folder with these files, until the tests of the file are done. */
export async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keycloak-'))
  folders.push(folder)
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  return folder
}

export class Drafts {
  readonly all: readonly AnyDraft[]
  readonly remarks: readonly Remark[]

  constructor(read: readonly (AnyDraft | { readonly remark: Remark })[]) {
    this.all = read.filter((one) => 'kind' in one)
    this.remarks = read.flatMap((one) => ('remark' in one ? [one.remark] : []))
  }

  of<Kind extends AnyDraft['kind']>(kind: Kind): readonly Extract<AnyDraft, { kind: Kind }>[] {
    return this.all.filter((draft): draft is Extract<AnyDraft, { kind: Kind }> => draft.kind === kind)
  }

  one<Kind extends AnyDraft['kind']>(kind: Kind, id: string): Extract<AnyDraft, { kind: Kind }> {
    return this.of(kind).find((draft) => draft.id === id) ?? assert.fail(`no ${kind} ${id}`)
  }

  reasons(id: string): string {
    return this.remarks
      .filter((one) => one.id === id)
      .map(({ reason }) => reason)
      .join('\n')
  }
}

export async function readAll(options: KeycloakOptions): Promise<Drafts> {
  return draftsOf(await openKeycloak(options))
}

/** What a source yields: as many drafts as it says. */
export async function draftsOf(source: Source): Promise<Drafts> {
  const drafts = new Drafts(await Array.fromAsync(source.read()))
  assert.equal(await source.count?.(), drafts.all.length)
  return drafts
}

export async function readRealm(realm: object, more: Partial<KeycloakOptions> = {}): Promise<Drafts> {
  const folder = await folderWith({ 'r-realm.json': { id: 'realm-1', realm: 'r', ...realm } })
  return await readAll({ path: folder, target: 'organization', ...more })
}

export function user(name: string, more: object = {}) {
  return { id: `id-${name}`, username: name, enabled: true, emailVerified: false, credentials: [], groups: [], ...more }
}

export function credential(type: string, secret: object, data: object, more: object = {}) {
  const texts = { secretData: JSON.stringify(secret), credentialData: JSON.stringify(data) }
  return { id: `c-${type}`, type, createdDate: 1_700_000_000_000, ...texts, ...more }
}

export function client(clientId: string, more: object = {}) {
  return { id: `id-${clientId}`, clientId, enabled: true, protocol: 'openid-connect', secret: `s-${clientId}`, ...more }
}
