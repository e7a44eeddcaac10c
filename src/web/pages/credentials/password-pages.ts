/** The two pages on which users set a password or a passkey with a mailed code: after a reset, and with an invitation. */
import {
  acceptInvitationByCode,
  type CodePurpose,
  checkMailedCode,
  finishKeyByCode,
  resetPasswordByCode,
  sendInvitationAgain,
  sendResetCode,
  startKeyByCode,
} from '../../../features/account/index.ts'
import { signInRules, signInWithPassword } from '../../../features/sign-in/index.ts'
import { json } from '../../addresses.ts'
import { clientOf, isScript, PATHS, proceed, readCredential, showFailure, tellFailure } from '../../browser.ts'
import { type PageTools, readGivenCode, staleLink } from '../../page-tools.ts'
import { message } from '../../parts.ts'
import { type PagePlan, problemPage, type Shown, type Visit } from '../../site.ts'
import { usePasskey } from '../sign-in/use-passkey.ts'
import { newPasskeyForm, type PasswordPageKind, setPasswordPage } from './set-password.ts'

function said(title: string, text: string): Shown {
  return { title, content: message(title, [text]) }
}

/** Registers a passkey, in the two steps of the script. */
async function postKey(
  { app, delayRefusal }: PageTools,
  visit: Visit,
  fields: URLSearchParams,
  { path, purpose }: { readonly path: string; readonly purpose: CodePurpose },
) {
  const startedAt = performance.now()
  const { userId, code } = readGivenCode(fields)
  const { texts } = visit
  if (userId === '' || code === '') return problemPage(texts, 400, 'incomplete')
  if (isScript(visit)) {
    const asked = await startKeyByCode(app, purpose, { userId, code, client: clientOf(visit) })
    if (asked.outcome === 'asked') return json({ publicKey: asked.publicKey, keyId: asked.keyId })
    await delayRefusal(startedAt)
    return tellFailure(visit, asked, texts.registerPasskey.refused)
  }
  const given = { keyId: fields.get('keyId') ?? '', credential: readCredential(fields) ?? {} }
  const name = clientOf(visit).description
  const made = await finishKeyByCode(app, purpose, { userId, code, ...given, name })
  if (made.outcome !== 'done') {
    return showFailure(visit, made, async () => {
      await delayRefusal(startedAt)
      return staleLink(visit, path, userId)
    })
  }
  const { done } = texts.registerPasskey
  const sentence = texts.setUpPasskey.done({ userName: made.userName })
  return { title: done, hasScript: true, content: message(done, [sentence], usePasskey(visit, { begins: 'now' })) }
}

/** A page for a mailed code: a password or a passkey, and then signed in. */
function mailedCodePage(
  tools: PageTools,
  kind: Pick<PasswordPageKind, 'path' | 'title' | 'lead' | 'button' | 'set' | 'send'> & {
    readonly purpose: CodePurpose
    /** For browsers that keep no session. */
    finished(visit: Visit): Shown
  },
): PagePlan {
  const { app, cookie } = tools
  const { path, purpose, finished, ...words } = kind
  const passkeyForm = newPasskeyForm(tools, path)
  const byPassword = setPasswordPage(
    {
      path,
      ...words,
      startsWithPasskey: purpose === 'invitation',
      // By the organization in the link: the page must not look the user up.
      passkey: async (visit, given, isFirst) =>
        (await signInRules(app, given.orgId)).allowsPasskeys ? passkeyForm(visit, given, isFirst) : undefined,
      async done(visit, { userId, password }) {
        const { request } = visit
        if (!cookie.isKept(request)) return finished(visit)
        const before = cookie.read(request)
        const signed = await signInWithPassword(app, { userId, password, client: clientOf(visit), before })
        return signed.outcome === 'done'
          ? proceed(tools, visit, signed, { done: 'password', way: 'password' })
          : finished(visit)
      },
      check: (given) => checkMailedCode(app, purpose, given),
      stale: (visit, userId) => staleLink(visit, path, userId),
    },
    tools,
  )
  return {
    get: byPassword.get,
    async post(visit, fields) {
      if (isScript(visit) || fields.get('credential')) return postKey(tools, visit, fields, { path, purpose })
      return byPassword.post?.(visit, fields) ?? finished(visit)
    },
  }
}

export function resetPasswordPage(tools: PageTools): PagePlan {
  return mailedCodePage(tools, {
    path: PATHS.setPassword,
    purpose: 'password_reset',
    title: ({ password }) => password.resetTitle,
    lead: ({ password }) => password.resetLead,
    button: ({ password }) => password.resetButton,
    finished: ({ texts: { password } }) => said(password.resetDone, password.resetDoneText),
    set: (given) => resetPasswordByCode(tools.app, given),
    send: (userId, language) => sendResetCode(tools.app, userId, language),
  })
}

export function acceptInvitationPage(tools: PageTools): PagePlan {
  return mailedCodePage(tools, {
    path: PATHS.acceptInvitation,
    purpose: 'invitation',
    title: ({ password }) => password.inviteTitle,
    lead: ({ password }) => password.inviteLead,
    button: ({ password }) => password.inviteButton,
    finished: ({ texts: { password } }) => said(password.inviteDone, password.inviteDoneText),
    set: (given) => acceptInvitationByCode(tools.app, given),
    send: (userId) => sendInvitationAgain(tools.app, userId),
  })
}
