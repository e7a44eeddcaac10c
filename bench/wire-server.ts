/** Signet's own port and protocols in front of a handler that does no work and a gate that lets everybody in. */

import '../src/config/pretenuring.js'
import { ManagementService } from '../contract/gen/signet/management/v1/management_pb.ts'
import type { AuthorizedRequest } from '../src/access/admit.ts'
import type { Call } from '../src/access/call.ts'
import { methods } from '../src/access/method.ts'
import { openPort } from '../src/http/port/listener.ts'
import { openFront } from '../src/http/router.ts'
import { systemClock } from '../src/kernel/instant.ts'
import { serve } from './child.ts'
import { reply } from './messages.ts'

const admission: AuthorizedRequest = { call: {} as Call, checkMessage: () => undefined, finish: () => undefined }
const front = openFront({
  methods: methods(ManagementService, { addMachineUser: async () => reply() }),
  admit: async () => admission,
  log: () => undefined,
  now: systemClock,
})
const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, front })
serve(port.address.port)
