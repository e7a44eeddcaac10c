/** Why somebody sets a password with a code: after a reset, with an invitation, and as the first administrator. */
import { html } from 'htm/preact'
import { type CodePageNeeds, staleLink } from './codes.ts'
import { headline, message } from './parts.ts'
import { setPasswordPage } from './set-password.ts'
import type { PagePlan, Shown } from './site.ts'

const said = (title: string, text: string): Shown => ({ title, content: message(title, [text]) })

export const resetPasswordPage = (needs: CodePageNeeds): PagePlan =>
  setPasswordPage(
    {
      path: '/set-password',
      title: ({ password }) => password.resetTitle,
      lead: ({ password }) => password.resetLead,
      button: ({ password }) => password.resetButton,
      done: ({ password }) => said(password.resetDone, password.resetDoneText),
      stale: (visit, userId) => staleLink(visit, '/set-password', userId),
      set: (given) => needs.ports.resetPassword(given),
      send: (userId) => needs.ports.sendPasswordReset(userId),
    },
    needs,
  )

export const acceptInvitationPage = (needs: CodePageNeeds): PagePlan =>
  setPasswordPage(
    {
      path: '/accept-invitation',
      title: ({ password }) => password.inviteTitle,
      lead: ({ password }) => password.inviteLead,
      button: ({ password }) => password.inviteButton,
      done: ({ password }) => said(password.inviteDone, password.inviteDoneText),
      stale: (visit, userId) => staleLink(visit, '/accept-invitation', userId),
      set: (given) => needs.ports.acceptInvitation(given),
      send: (userId) => needs.ports.sendInvitation(userId),
    },
    needs,
  )

export const setUpPage = (needs: CodePageNeeds): PagePlan =>
  setPasswordPage(
    {
      path: '/setup',
      title: ({ password }) => password.setupTitle,
      lead: ({ password }) => password.setupLead,
      button: ({ password }) => password.setupButton,
      done: ({ setupDone: words, start }, userName) => ({
        title: words.title,
        content: html`
          ${headline(words.title)}
          <p class="lead">${words.name(userName)}</p>
          <h2>${words.next}</h2>
          <ul class="next">
            <li>${words.token}</li>
            <li>${words.mail} <a href="/inbox">${start.inbox}</a></li>
            <li>${words.api} <a href="/openapi.json">${start.api}</a></li>
          </ul>
        `,
      }),
      stale: ({ texts }) => ({ ...said(texts.stale.title, texts.stale.setupText), status: 400 }),
      set: (given) => needs.ports.setUp(given),
    },
    needs,
  )
