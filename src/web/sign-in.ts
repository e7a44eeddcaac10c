/** Signing in: user name and password, or a passkey. Unknown, locked, deactivated and wrong are one sentence, after one time. */
import { html } from 'htm/preact'
import { address, json, seeOther } from './addresses.ts'
import {
  carried,
  clientOf,
  organizationOf,
  PATHS,
  pathAfter,
  proceed,
  readCredential,
  type SessionPageNeeds,
  showFailure,
  tellFailure,
} from './browser.ts'
import type { OfferedProvider } from './external-ports.ts'
import { keyForm } from './key-form.ts'
import { field, form, headline, type Mistake, mistakeSummary } from './parts.ts'
import { providerButtons } from './provider-buttons.ts'
import type { Person } from './sign-in-ports.ts'
import { mishap, type PagePlan, type Shown, type Visit } from './site.ts'

const LONGEST_NAME = 200
const LONGEST_PASSWORD = 1000

/** Names and passwords that nobody has; no database takes NUL. */
function clean(text: string | null, longest: number): string {
  return text === null || text.length > longest || text.includes('\0') ? '' : text
}

export function signInPages(needs: SessionPageNeeds): Readonly<Record<string, PagePlan>> {
  const { ports, cookie, pace } = needs

  const findPerson = async ({ request }: Visit): Promise<Person | undefined> => {
    const token = cookie.read(request)
    return token === undefined ? undefined : ports.signIn.find(token)
  }

  /** The person who has to show once more that it is them; undefined when nobody is signed in, or nobody asked. */
  const findAgain = async (visit: Visit): Promise<Person | undefined> => {
    const person = visit.asked.has('again') ? await findPerson(visit) : undefined
    return person?.step === 'none' ? person : undefined
  }

  const buttonsOf = (visit: Visit, providers: readonly OfferedProvider[], label: (name: string) => string) =>
    providerButtons({
      providers,
      label,
      href: (idp) => address(PATHS.provider, { idp, ...carried(visit), orgId: organizationOf(visit) }),
      more: visit.texts.external.more,
    })

  const showAgain = async (visit: Visit, person: Person, mistakes: readonly Mistake[]): Promise<Shown> => {
    const { texts } = visit
    const kept = { ...carried(visit), again: 'yes' }
    const isPassword = person.provesWith.includes('password')
    const providers = await ports.external.linkedTo(person)
    const typed = field({
      name: 'password',
      label: texts.signIn.password,
      type: 'password',
      autocomplete: 'current-password',
      mistakes,
      isFirst: true,
    })
    // Password managers want to know whose password it is.
    const whose = html`<input type="hidden" name="userName" autocomplete="username" value=${person.userName} />`
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title: texts.again.title,
      hasScript: true,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(texts.again.title)}
        <p class="lead">${texts.again.lead(person.userName)}</p>
        ${isPassword && form(PATHS.signIn, kept, texts.again.button, html`${whose}${typed}`)}
        ${
          person.provesWith.includes('passkey') &&
          html`
            ${isPassword && html`<p class="or">${texts.signIn.or}</p>`}
            ${keyForm(texts, {
              action: PATHS.passkey,
              does: 'get',
              kept,
              button: texts.again.passkey,
              isQuiet: isPassword,
            })}
          `
        }
        ${person.provesWith.length > 0 && providers.length > 0 && html`<p class="or">${texts.signIn.or}</p>`}
        ${buttonsOf(visit, providers, texts.external.goOnWith)}
      `,
    }
  }

  const show = async (visit: Visit, mistakes: readonly Mistake[] = []): Promise<Shown> => {
    const again = await findAgain(visit)
    if (again !== undefined) return showAgain(visit, again, mistakes)
    const { texts, asked, lang } = visit
    const orgId = organizationOf(visit)
    const [rules, providers] = await Promise.all([ports.signIn.rules(orgId), ports.external.offered(orgId)])
    const kept = { ...carried(visit), orgId }
    const isHere = rules.allowsPassword || rules.allowsPasskeys
    const name = field({
      name: 'userName',
      label: texts.signIn.name,
      // Conditional UI: the browser offers passkeys where the name is typed.
      autocomplete: rules.allowsPasskeys ? 'username webauthn' : 'username',
      value: clean(asked.get('userName'), LONGEST_NAME),
      mistakes,
      isFirst: true,
    })
    const password = field({
      name: 'password',
      label: texts.signIn.password,
      type: 'password',
      autocomplete: 'current-password',
      mistakes,
    })
    return {
      status: mistakes.length > 0 ? 422 : 200,
      title: texts.signIn.title,
      hasScript: rules.allowsPasskeys,
      content: html`
        ${mistakeSummary(texts, mistakes)}
        ${headline(texts.signIn.title)}
        ${rules.allowsPassword && form(PATHS.signIn, kept, texts.signIn.button, html`${name}${password}`)}
        ${rules.allowsPassword && rules.allowsPasskeys && html`<p class="or">${texts.signIn.or}</p>`}
        ${
          rules.allowsPasskeys &&
          keyForm(texts, {
            action: PATHS.passkey,
            does: 'get',
            // One that was just refused is not offered again by itself.
            ...(visit.request.path === PATHS.signIn && { begins: 'offer' as const }),
            kept,
            button: texts.signIn.passkey,
            isQuiet: rules.allowsPassword,
          })
        }
        ${isHere && providers.length > 0 && html`<p class="or">${texts.signIn.or}</p>`}
        ${buttonsOf(visit, providers, texts.external.signInWith)}
        ${
          rules.allowsPassword &&
          !rules.hidesPasswordReset &&
          html`<p class="aside"><a href=${address('/forgot-password', { lang })}>${texts.start.forgotten}</a></p>`
        }
      `,
    }
  }

  const refuse = async (visit: Visit, startedAt: number, sentence: string) => {
    await pace(startedAt)
    return show(visit, [{ field: '', sentence }])
  }

  const byPassword: PagePlan = {
    async get(visit) {
      const { request, texts } = visit
      if (!cookie.isKept(request)) return mishap(texts, 400, 'insecure')
      const person = await findPerson(visit)
      if (person?.step === 'none' && !request.query.has('again')) {
        return seeOther(pathAfter(person, carried(visit)))
      }
      return show(visit)
    },
    async post(visit, fields) {
      const startedAt = performance.now()
      const { request, texts } = visit
      const { signIn: words } = texts
      const password = fields.get('password') ?? ''
      const again = await findAgain(visit)
      const userName = again?.userName ?? (fields.get('userName') ?? '').trim()
      const mistakes = [
        ...(userName === '' ? [{ field: 'userName', sentence: words.nameMissing }] : []),
        ...(password === '' ? [{ field: 'password', sentence: words.passwordMissing }] : []),
      ]
      if (mistakes.length > 0) return show(visit, mistakes)
      const token = cookie.read(request)
      // What is longer than any name or password is looked for all the same, as the empty one, for as long.
      const given = { userName: clean(userName, LONGEST_NAME), password: clean(password, LONGEST_PASSWORD) }
      const result =
        again !== undefined && token !== undefined
          ? await ports.signIn.show(token, { password: given.password })
          : await ports.signIn.signIn({ ...given, client: clientOf(visit), before: token })
      if (result.outcome === 'done') return proceed(needs, visit, result)
      return showFailure(visit, result, () => refuse(visit, startedAt, words.refused))
    },
  }

  const byPasskey: PagePlan = {
    get: (visit) => seeOther(address(PATHS.signIn, carried(visit))),
    async post(visit, fields) {
      const startedAt = performance.now()
      const { request, texts } = visit
      const token = cookie.read(request)
      if (fields.has('credential')) {
        const credential = readCredential(fields)
        const isReady = credential !== undefined && token !== undefined
        const result = isReady ? await ports.signIn.show(token, { credential }) : ({ outcome: 'refused' } as const)
        if (result.outcome === 'done') return proceed(needs, visit, result)
        // A session that took too long is no more; what to do is the same.
        const failure = result.outcome === 'gone' ? ({ outcome: 'refused' } as const) : result
        return showFailure(visit, failure, () => refuse(visit, startedAt, texts.keys.refused))
      }
      const again = await findAgain(visit)
      const isOfAnybody = again === undefined
      const asked = await ports.signIn.askForKey({ use: 'passkey', token, isOfAnybody, client: clientOf(visit) })
      if (asked.outcome !== 'asked') return tellFailure(visit, asked, texts.keys.refused)
      const headers = cookie.keep(request, asked.token, asked.expiresAt)
      return json({ publicKey: asked.publicKey }, { headers })
    },
  }

  return { [PATHS.signIn]: byPassword, [PATHS.passkey]: byPasskey }
}
