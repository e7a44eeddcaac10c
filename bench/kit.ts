/** What the kit for servers adds to the libraries that it uses: a token, and the cookie of a session. */
import { createRemoteJWKSet, EncryptJWT, jwtDecrypt, jwtVerify } from 'jose'
import { signet } from '../packages/server/index.ts'
import { jar, openKit, signIn } from '../test/adoption/kit-world.ts'
import { playIssuer } from '../test/adoption/played-issuer.ts'
import { alternate } from './rounds.ts'
import { median, spread } from './statistics.ts'
import type { Row } from './table.ts'

const ROUNDS = 15
const CALLS = 1500
const AUDIENCE = 'http://localhost:3000/api'

/** Calls in a second of processor time of all threads, one after the other: what others do meanwhile is left out. */
async function rateOf(call: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage()
  for (let count = 0; count < CALLS; count++) if (!(await call())) throw new Error('the call was refused')
  const { user, system } = process.cpuUsage(began)
  return (CALLS * 1_000_000) / (user + system)
}

async function compare(what: string, of: string, bare: () => Promise<unknown>, ours: () => Promise<unknown>) {
  await rateOf(bare)
  await rateOf(ours)
  const rates = await alternate({ bare: () => rateOf(bare), ours: () => rateOf(ours) }, ROUNDS)
  const figure = (samples: readonly number[]) => `${median(samples).toFixed(0)}/s of processor time`
  const ratio = median(rates.ours) / median(rates.bare)
  const rows: Row[] = [
    { what: of, figure: figure(rates.bare), spread: spread(rates.bare), isBare: true },
    { what, figure: figure(rates.ours), spread: spread(rates.ours), ratio, of, aim: '≥ 80 %' },
  ]
  return rows
}

export async function benchKit(): Promise<Row[]> {
  const issuer = await playIssuer()
  try {
    const token = await issuer.sign(issuer.claims(AUDIENCE))
    const keys = createRemoteJWKSet(new URL(`${issuer.url}/oauth/v2/keys`))
    const rules = { typ: 'at+jwt', issuer: issuer.url, audience: AUDIENCE, requiredClaims: ['sub', 'exp'] }
    const api = signet({ issuer: issuer.url, clientId: 'shop', clientSecret: 'the secret', audience: AUDIENCE })
    const guard = api.protect()
    const request = () => new Request(AUDIENCE, { headers: { authorization: `Bearer ${token}` } })
    const tokens = await compare(
      'protect with a token',
      'jose verifies the token',
      async () => (await jwtVerify(request().headers.get('authorization')?.slice(7) ?? '', keys, rules)).payload.sub,
      async () => !((await guard(request())) instanceof Response),
    )
    const kit = openKit(issuer)
    const browser = jar()
    await signIn(kit, issuer, browser)
    const session = await kit.session(new Request(AUDIENCE, { headers: { cookie: browser.header() } }))
    if (session === undefined) throw new Error('nobody is signed in')
    const key = new Uint8Array(32).fill(7)
    const { cookies: _, ...kept } = session
    const seal = (more: object) =>
      new EncryptJWT({ ...JSON.parse(JSON.stringify(kept)), ...more })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime('1h')
        .encrypt(key)
    // As long as the one of the kit, which has the tokens, too.
    const missing = browser.header().length - (await seal({ filling: '' })).length
    const sealed = await seal({ filling: 'x'.repeat(Math.max(0, Math.floor(missing * 0.75))) })
    const guardOfPage = kit.protect()
    const cookie = (value: string) => new Request(AUDIENCE, { headers: { cookie: value } })
    const sessions = await compare(
      'protect with the cookie of a session',
      'jose opens the cookie',
      async () => (await jwtDecrypt(cookie(`session=${sealed}`).headers.get('cookie')?.slice(8) ?? '', key)).payload,
      async () => !((await guardOfPage(cookie(browser.header()))) instanceof Response),
    )
    return [...tokens, ...sessions]
  } finally {
    issuer.close()
  }
}
