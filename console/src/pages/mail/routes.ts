/** The pages of mail: the server, the texts, what could not be delivered, and the development inbox. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from '../../parts/list-search.ts'
import { rootRoute } from '../../root-route.ts'
import { INBOX_LIST, QUEUE_LIST, TEXT_LIST } from './list-specs.ts'

const server = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail',
  component: lazyRouteComponent(() => import('./server.tsx'), 'MailServerPage'),
})

const texts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail/texts',
  validateSearch: listSearch(TEXT_LIST),
  component: lazyRouteComponent(() => import('./text-list.tsx'), 'MessageTextListPage'),
})

const text = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail/texts/$type/$language',
  component: lazyRouteComponent(() => import('./text-detail.tsx'), 'MessageTextPage'),
})

const queue = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail/queue',
  validateSearch: listSearch(QUEUE_LIST),
  component: lazyRouteComponent(() => import('./queue.tsx'), 'MailQueuePage'),
})

const inbox = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail/inbox',
  validateSearch: listSearch(INBOX_LIST),
  component: lazyRouteComponent(() => import('./inbox.tsx'), 'InboxPage'),
})

const inboxMail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail/inbox/$mailId',
  component: lazyRouteComponent(() => import('./inbox-mail.tsx'), 'InboxMailPage'),
})

export const mailRoutes = [server, texts, text, queue, inbox, inboxMail] as const
