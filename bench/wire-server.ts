/** Signet's own port and protocols in front of a handler that does no work and authorizes every caller. */

import '../src/config/pretenuring.ts'
import { ManagementService } from '../contract/gen/signet/management/v1/management_pb.ts'
import type { AuthorizedRequest } from '../src/access/authorization.ts'
import type { Call } from '../src/access/call.ts'
import { methods } from '../src/access/method.ts'
import { openPort } from '../src/http/port/listener.ts'
import { openRouter } from '../src/http/router.ts'
import { serve } from './child.ts'
import { reply } from './messages.ts'

const authorized: AuthorizedRequest = {
  call: {} as Call,
  checkMessage: async () => {},
  checkTarget: async () => undefined,
  finish: () => undefined,
  again: () => Promise.reject(new Error('nothing lasts')),
}
const router = openRouter({
  methods: methods(ManagementService, { addMachineUser: async () => reply() }),
  authorize: async () => authorized,
  log: () => undefined,
})
const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
serve(port.address.port)
