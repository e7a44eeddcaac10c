/** Why somebody sets a password with a mailed code: after a reset, and with an invitation. */
import { type CodePageNeeds, staleLink } from './codes.ts'
import { message } from './parts.ts'
import { setPasswordPage } from './set-password.ts'
import type { PagePlan, Shown } from './site.ts'

function said(title: string, text: string): Shown {
  return { title, content: message(title, [text]) }
}

export function resetPasswordPage(needs: CodePageNeeds): PagePlan {
  return setPasswordPage(
    {
      path: '/set-password',
      title: ({ password }) => password.resetTitle,
      lead: ({ password }) => password.resetLead,
      button: ({ password }) => password.resetButton,
      done: ({ texts: { password } }) => said(password.resetDone, password.resetDoneText),
      stale: (visit, userId) => staleLink(visit, '/set-password', userId),
      set: (given) => needs.ports.resetPassword(given),
      send: (userId) => needs.ports.sendPasswordReset(userId),
    },
    needs,
  )
}

export function acceptInvitationPage(needs: CodePageNeeds): PagePlan {
  return setPasswordPage(
    {
      path: '/accept-invitation',
      title: ({ password }) => password.inviteTitle,
      lead: ({ password }) => password.inviteLead,
      button: ({ password }) => password.inviteButton,
      done: ({ texts: { password } }) => said(password.inviteDone, password.inviteDoneText),
      stale: (visit, userId) => staleLink(visit, '/accept-invitation', userId),
      set: (given) => needs.ports.acceptInvitation(given),
      send: (userId) => needs.ports.sendInvitation(userId),
    },
    needs,
  )
}
