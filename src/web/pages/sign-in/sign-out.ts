/** Signing out: a question, because any site can lead here, and a page that says that it is done. */
import { html } from 'htm/preact'
import { findPerson, readLogoutTarget, signOut } from '../../../features/sign-in/index.ts'
import { address, seeOther } from '../../addresses.ts'
import { carried, PATHS } from '../../browser.ts'
import type { PageTools } from '../../page-tools.ts'
import { form, headline, message } from '../../parts.ts'
import type { PagePlan, Shown, Visit } from '../../site.ts'

function showDone({ texts }: Visit): Shown {
  const { title, lead, again } = texts.signedOut
  return {
    title,
    content: message(title, [lead], html`<p><a class="button quiet" href=${PATHS.signIn}>${again}</a></p>`),
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
          <p class="lead">${lead(person.userName)}</p>
          ${form(PATHS.signOut, { then, lang }, button)}
          <p><a class="button quiet" href=${address(PATHS.account, { lang })}>${stay}</a></p>
        `,
      }
    },
    async post(visit, fields) {
      const { request } = visit
      const token = cookie.read(request)
      if (token !== undefined) await signOut(app, token)
      // The browser keeps one session: to use another account, the user signs in again.
      if (fields.has('other')) return seeOther(address(PATHS.signIn, carried(visit)), cookie.forget(request))
      const target = await readLogoutTarget(app, fields.get('then'))
      const shown = target === undefined ? showDone(visit) : leadOn(visit, target)
      return { ...shown, headers: { ...shown.headers, ...cookie.forget(request) } }
    },
  }
}

/** Where users land after a logout that leads nowhere else. */
export function signedOutPage(): PagePlan {
  return { get: (visit) => showDone(visit) }
}
