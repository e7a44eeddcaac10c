/** The two pages on which users set a password with a mailed code: after a reset, and with an invitation. */
import {
  acceptInvitationByCode,
  resetPasswordByCode,
  sendInvitationAgain,
  sendResetCode,
} from '../../../features/account/index.ts'
import { type PageTools, staleLink } from '../../page-tools.ts'
import { message } from '../../parts.ts'
import type { PagePlan, Shown } from '../../site.ts'
import { setPasswordPage } from './set-password.ts'

function said(title: string, text: string): Shown {
  return { title, content: message(title, [text]) }
}

export function resetPasswordPage(tools: PageTools): PagePlan {
  return setPasswordPage(
    {
      path: '/set-password',
      title: ({ password }) => password.resetTitle,
      lead: ({ password }) => password.resetLead,
      button: ({ password }) => password.resetButton,
      done: ({ texts: { password } }) => said(password.resetDone, password.resetDoneText),
      stale: (visit, userId) => staleLink(visit, '/set-password', userId),
      set: (given) => resetPasswordByCode(tools.app, given),
      send: (userId) => sendResetCode(tools.app, userId),
    },
    tools,
  )
}

export function acceptInvitationPage(tools: PageTools): PagePlan {
  return setPasswordPage(
    {
      path: '/accept-invitation',
      title: ({ password }) => password.inviteTitle,
      lead: ({ password }) => password.inviteLead,
      button: ({ password }) => password.inviteButton,
      done: ({ texts: { password } }) => said(password.inviteDone, password.inviteDoneText),
      stale: (visit, userId) => staleLink(visit, '/accept-invitation', userId),
      set: (given) => acceptInvitationByCode(tools.app, given),
      send: (userId) => sendInvitationAgain(tools.app, userId),
    },
    tools,
  )
}
