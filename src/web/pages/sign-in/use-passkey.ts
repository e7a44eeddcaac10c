/** The form that asks for a passkey to sign in with, where a page offers it beside other ways. */
import { carried, PATHS } from '../../browser.ts'
import { keyForm } from '../../key-form.ts'
import type { Content } from '../../parts.ts'
import type { Visit } from '../../site.ts'

interface UsePasskey {
  /** `now`: the dialogue opens by itself. */
  readonly begins?: 'now'
  readonly isQuiet?: boolean
  /** Where to go afterwards, if the visit does not say so. */
  readonly next?: string
}

/** A passkey is two factors at once: using it begins a session that needs no more. */
export function usePasskey(visit: Visit, { begins, isQuiet = false, next }: UsePasskey = {}): Content {
  const kept = carried(visit)
  return keyForm(visit.texts, {
    action: PATHS.passkey,
    does: 'get',
    ...(begins && { begins }),
    kept: { ...kept, next: kept.next ?? next },
    button: visit.texts.signIn.passkey,
    isQuiet,
  })
}
