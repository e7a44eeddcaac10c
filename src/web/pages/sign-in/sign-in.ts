/** Sign-in with user name and password, or with a passkey. Unknown, locked, deactivated and wrong get one answer after one time. */
import type { JsonObject } from '@bufbuild/protobuf'
import {
  askForKey,
  askForPasskey,
  type Failure,
  findPerson,
  type Person,
  type Renewed,
  showFactor,
  signInWithPasskey,
  signInWithPassword,
} from '../../../features/sign-in/index.ts'
import type { PageAnswer } from '../../../http/page.ts'
import { address, json, seeOther } from '../../addresses.ts'
import {
  carried,
  clientOf,
  organizationOf,
  PATHS,
  pathAfter,
  proceed,
  readCredential,
  showFailure,
  tellFailure,
} from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import type { Mistake } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import { clean, LONGEST_NAME, showAgain, showSignIn } from './sign-in-forms.ts'

const LONGEST_PASSWORD = 1000

async function personOf({ app, cookie }: PageTools, { request }: Visit): Promise<Person | undefined> {
  const token = cookie.read(request)
  return token === undefined ? undefined : findPerson(app, token)
}

/** The signed-in person who is asked to authenticate again; undefined when the address does not ask for it. */
async function personToAskAgain(tools: PageTools, visit: Visit): Promise<Person | undefined> {
  const person = visit.asked.has('again') ? await personOf(tools, visit) : undefined
  return person?.step === 'none' ? person : undefined
}

async function show(tools: PageTools, visit: Visit, mistakes: readonly Mistake[] = []): Promise<Shown> {
  const again = await personToAskAgain(tools, visit)
  return again === undefined ? showSignIn(tools, visit, mistakes) : showAgain(tools, visit, again, mistakes)
}

async function refuse(
  tools: PageTools,
  visit: Visit,
  startedAt: number,
  mistake: Omit<Mistake, 'field'>,
): Promise<Shown> {
  await tools.delayRefusal(startedAt)
  return show(tools, visit, [{ field: '', ...mistake }])
}

/** Signs in with user name and password, or checks the password of a signed-in person again. */
async function submitPassword(tools: PageTools, visit: Visit, fields: URLSearchParams): Promise<Shown | PageAnswer> {
  const startedAt = performance.now()
  const { app, cookie } = tools
  const { request, texts } = visit
  const { signIn: words } = texts
  const password = fields.get('password') ?? ''
  const again = await personToAskAgain(tools, visit)
  const userName = again?.userName ?? (fields.get('userName') ?? '').trim()
  const mistakes = [
    ...(userName === '' ? [{ field: 'userName', sentence: words.nameMissing }] : []),
    ...(password === '' ? [{ field: 'password', sentence: words.passwordMissing }] : []),
  ]
  if (mistakes.length > 0) return show(tools, visit, mistakes)
  const token = cookie.read(request)
  // A name or password that is too long is looked up as the empty one, so that it takes as long.
  const given = { userName: clean(userName, LONGEST_NAME), password: clean(password, LONGEST_PASSWORD) }
  const result =
    again !== undefined && token !== undefined
      ? await showFactor(app, token, { password: given.password })
      : await signInWithPassword(app, {
          ...given,
          organizationId: organizationOf(visit),
          client: clientOf(visit),
          before: token,
        })
  if (result.outcome === 'done') return proceed(tools, visit, result, { way: 'password' })
  return showFailure(visit, result, () =>
    refuse(tools, visit, startedAt, { sentence: words.refused, corrects: 'password' }),
  )
}

/** The page with the form for user name and password. */
export function passwordSignInPage(tools: PageTools): PagePlan {
  return {
    async get(visit) {
      const { request, texts } = visit
      if (!tools.cookie.isKept(request)) return problemPage(texts, 400, 'insecure')
      const person = await personOf(tools, visit)
      // Users who want to use another account keep their session until they have signed in with it.
      const staysHere = request.query.has('again') || request.query.has('other')
      if (person?.step === 'none' && !staysHere) return seeOther(pathAfter(person, carried(visit)))
      return show(tools, visit)
    },
    post: (visit, fields) => submitPassword(tools, visit, fields),
  }
}

/** Takes the answer of an authenticator: of the signed-in person who is asked again, or of any user. */
async function submitPasskey(
  { app, cookie, challengeCookie }: PageTools,
  visit: Visit,
  isAgain: boolean,
  credential: JsonObject | undefined,
): Promise<Renewed | Failure> {
  const token = cookie.read(visit.request)
  if (credential === undefined) return { outcome: 'refused' }
  if (isAgain && token !== undefined) return showFactor(app, token, { credential })
  const challenge = challengeCookie.read(visit.request)
  if (challenge === undefined) return { outcome: 'refused' }
  return signInWithPasskey(app, { challenge, credential, client: clientOf(visit), before: token })
}

/** Asks for a passkey: of the signed-in person who is asked again, or of any user. */
async function offerPasskey(
  { app, cookie, challengeCookie }: PageTools,
  visit: Visit,
  isAgain: boolean,
): Promise<PageAnswer> {
  const { request, texts } = visit
  const client = clientOf(visit)
  const token = cookie.read(request)
  if (isAgain && token !== undefined) {
    const asked = await askForKey(app, { use: 'passkey', token, client })
    if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
    return json({ publicKey: asked.publicKey }, { headers: cookie.keep(request, asked.token, asked.expiresAt) })
  }
  const asked = await askForPasskey(app, client)
  if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
  const headers = challengeCookie.keep(request, asked.challenge, asked.expiresAt)
  return json({ publicKey: asked.publicKey }, { headers })
}

/** Signs in with a passkey: first the script asks for a challenge, then it sends the answer of the authenticator. */
export function passkeySignInPage(tools: PageTools): PagePlan {
  return {
    get: (visit) => seeOther(address(PATHS.signIn, carried(visit))),
    async post(visit, fields) {
      const startedAt = performance.now()
      const isAgain = (await personToAskAgain(tools, visit)) !== undefined
      if (!fields.has('credential')) return offerPasskey(tools, visit, isAgain)
      const result = await submitPasskey(tools, visit, isAgain, readCredential(fields))
      if (result.outcome === 'done') return proceed(tools, visit, result, { way: 'passkey' })
      // A session that took too long no longer exists; the person starts again all the same.
      const failure = result.outcome === 'gone' ? ({ outcome: 'refused' } as const) : result
      return showFailure(visit, failure, () => refuse(tools, visit, startedAt, { sentence: visit.texts.keys.refused }))
    },
  }
}
