/** What is decided about each member of an authentication flow. */
import { allCarried, allIgnored, part, type Table } from '../members/table.ts'

export const EXECUTION: Table = {
  closes: true,
  members: {
    ...allCarried('authenticator', 'requirement', 'priority', 'flowAlias', 'authenticatorConfig'),
    ...allIgnored({
      'said with flowAlias': ['authenticatorFlow', 'autheticatorFlow'],
      'whoever needs a second factor and has none sets one up': ['userSetupAllowed'],
    }),
  },
}

export const FLOW: Table = {
  members: {
    ...allCarried('alias', 'builtIn'),
    authenticationExecutions: part(EXECUTION),
    ...allIgnored({ 'the steps say it': ['id', 'description', 'providerId', 'topLevel'] }),
  },
}
