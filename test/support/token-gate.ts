/** A provider whose users are known by a signed token in a header: its keys on this machine, and the browser that has one. */
import assert from 'node:assert/strict'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { Finished } from '../../src/features/sign-in-intents/index.ts'
import { finishIntent } from '../../src/features/sign-in-intents/index.ts'
import type { ProviderWorld } from './parts/providers.ts'
import { type Json, openScriptedProvider, SAM, type ScriptedProvider, writeToken } from './scripted-provider.ts'

export const HEADER = 'X-Signed-In'
export const AUDIENCE = 'signet'

export interface TokenGate {
  /** Its keys are at `/keys`, and scripted. */
  readonly server: ScriptedProvider
  /** An honest token with these claims instead of the usual ones. */
  token(claims?: Json, header?: Json): string
  /** Adds it to the organization; returns its ID. */
  add(settings?: object): Promise<string>
  /** Where a browser is sent, with the parameters that it brings back. */
  start(idpId: string): Promise<{ readonly url: URL; readonly parameters: URLSearchParams; readonly intentId: string }>
  /** A browser comes back with this in the header. */
  finish(parameters: URLSearchParams, value: string | undefined, browser?: string): Promise<Finished>
  /** A whole sign-in: the URL that the browser is led to. */
  signIn(idpId: string, token: string): Promise<{ readonly url: URL; readonly intentId: string }>
}

export async function openTokenGate(world: ProviderWorld, server?: ScriptedProvider): Promise<TokenGate> {
  const opened = server ?? (await openScriptedProvider())
  const { issuer, key } = opened
  let count = 0
  const gate: TokenGate = {
    server: opened,
    token(claims = {}, header = {}) {
      const iat = Math.floor(world.clock() / 1000)
      const usual = { ...SAM, iss: issuer, aud: AUDIENCE, iat, exp: iat + 300 }
      return writeToken({ alg: 'RS256', kid: key.kid, ...header }, { ...usual, ...claims }, key.privateKey)
    },
    async add(settings = {}) {
      const request = {
        name: `Gate ${++count} ${issuer}`,
        issuer,
        jwtEndpoint: 'https://apps.example/gate?from=signet',
        keysEndpoint: `${issuer}/keys`,
        headerName: HEADER,
        audience: AUDIENCE,
        providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
        ...settings,
      }
      return (await world.call(ManagementService.method.addJWTProvider, request, { bearer: 'boss' })).id
    },
    async start(idpId) {
      const { authUrl } = await world.start(idpId)
      const url = new URL(authUrl)
      const parameters = new URLSearchParams(
        ['authRequestID', 'userAgentID'].map((name) => [name, url.searchParams.get(name) ?? assert.fail(name)]),
      )
      return { url, parameters, intentId: parameters.get('authRequestID') ?? '' }
    },
    finish: (parameters, value, browser) =>
      finishIntent(world.app, {
        parameters,
        browser,
        header: (name) => (name === HEADER.toLowerCase() ? value : undefined),
      }),
    async signIn(idpId, token) {
      const { parameters, intentId } = await gate.start(idpId)
      const finished = await gate.finish(parameters, token)
      assert.ok(finished.type === 'redirect')
      return { url: new URL(finished.url), intentId }
    },
  }
  return gate
}
