/** Signing out: a question, because any site can lead here, and a page that says that it is done. */
import { html } from 'htm/preact'
import { tellServiceProviders } from '../../../features/saml/index.ts'
import { sessionIdOfToken } from '../../../features/sessions/index.ts'
import { findPerson, readLogoutTarget, signOut } from '../../../features/sign-in/index.ts'
import { address, seeOther } from '../../addresses.ts'
import { carried, PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline, message } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'

function showDone({ texts, asked }: Visit): Shown {
  const { title, lead, again } = texts.signedOut
  const lines = asked.get('left') === 'some' ? [lead, texts.signingOut.leavesSome] : [lead]
  return {
    title,
    content: message(title, lines, html`<p><a class="button quiet" href=${PATHS.signIn}>${again}</a></p>`),
  }
}

/** Leads on by itself: browsers hold the redirect of a form to our own pages. */
function leadOn({ texts }: Visit, target: string): Shown {
  const { title } = texts.signedOut
  const { back, goOn } = texts.signOutPage
  return {
    title,
    headers: { refresh: `0; url=${target}` },
    content: message(title, [back], html`<p><a class="button" href=${target}>${goOn}</a></p>`),
  }
}

/** Ends the session of the browser, also one that is not complete. */
export function signOutPage({ app, cookie }: PageTools): PagePlan {
  return {
    async get(visit) {
      const { request, texts, asked, lang } = visit
      const token = cookie.read(request)
      const person = token === undefined ? undefined : await findPerson(app, token)
      const then = asked.get('then') ?? undefined
      if (person === undefined) {
        return seeOther((await readLogoutTarget(app, then ?? null)) ?? address(PATHS.signedOut, { lang }))
      }
      const { title, lead, button, stay } = texts.signOutPage
      return {
        title,
        content: html`
          ${headline(title)}
          <p class="lead">${lead({ userName: person.userName })}</p>
          ${form(PATHS.signOut, { then, lang }, button)}
          <p><a class="button quiet" href=${address(PATHS.account, { lang })}>${stay}</a></p>
        `,
      }
    },
    async post(visit, fields) {
      const { request } = visit
      const token = cookie.read(request)
      const sessionId = token === undefined ? undefined : await sessionIdOfToken(app, token)
      if (token !== undefined) await signOut(app, token)
      // The browser keeps one session: to use another account, the user signs in again.
      const other = fields.has('other') ? address(PATHS.signIn, carried(visit)) : undefined
      const target = await readLogoutTarget(app, fields.get('then'))
      const away = sessionId && (await tellServiceProviders(app, sessionId, other ?? target ?? PATHS.signedOut))
      // The browser shows the token of the session until all of them were told.
      if (away) return seeOther(away)
      if (other !== undefined) return seeOther(other, cookie.forget(request))
      const shown = target === undefined ? showDone(visit) : leadOn(visit, target)
      return { ...shown, headers: { ...shown.headers, ...cookie.forget(request) } }
    },
  }
}

/** Where users land after a logout that leads nowhere else. */
export function signedOutPage(): PagePlan {
  return { get: (visit) => showDone(visit) }
}
