/** The pages for a failed sign-in at a provider: that it failed, little about why, and a way back. */
import { html } from 'htm/preact'
import { address } from '../../addresses.ts'
import { carried, organizationOf, PATHS } from '../../browser.ts'
import { message } from '../../parts.ts'
import type { Shown, Visit } from '../../site.ts'

/** The link back: to the account page after linking, else to the sign-in page. */
function wayBack(visit: Visit): string {
  return visit.asked.has('link')
    ? address(PATHS.account, { lang: visit.lang })
    : address(PATHS.signIn, { ...carried(visit), orgId: organizationOf(visit) })
}

/** A page with a message and a link back; the user need not be signed in. */
export function showProviderMessage(visit: Visit, status: number, title: string, text: string): Shown {
  const { account, external } = visit.texts
  const label = visit.asked.has('link') ? account.back : external.back
  const back = html`<p><a class="button quiet" href=${wayBack(visit)}>${label}</a></p>`
  return { status, title, content: message(title, [text], back) }
}

/** One of three sentences; which provider it was is said if it is known. */
export function showProviderFailure(
  visit: Visit,
  reason: 'failed' | 'cancelled' | 'unavailable',
  name: string | undefined,
): Shown {
  const words = visit.texts.external
  const { title, text } = words[reason]
  return showProviderMessage(
    visit,
    reason === 'unavailable' ? 503 : 400,
    title({ providerName: name ?? words.unknown }),
    text,
  )
}

/** The reason that a failure address carries. */
export function reasonOf(error: string | null): 'failed' | 'cancelled' | 'unavailable' {
  if (error === 'access_denied') return 'cancelled'
  return error === 'temporarily_unavailable' ? 'unavailable' : 'failed'
}
