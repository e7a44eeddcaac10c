/**
 * Signals in: transmitters that an organization or the instance trusts (OpenID Shared Signals Framework 1.0). Their tokens end
 * the sessions of users, or deactivate them. There are none until an administrator adds one. The protocol is in `src/ssf`.
 */
import { stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { removeTransmittersOf, removeTransmittersOfProvider, trustedTransmitters } from './documents.ts'
import { trustedTransmitterRefusals } from './refusals.ts'
import { trustedTransmitterMethods } from './rpc.ts'

export const trustedTransmittersModule = module({
  name: 'trusted-transmitters',
  kinds: stays('Its token and its address are those of this server: it is trusted anew.', trustedTransmitters),
  refusals: trustedTransmitterRefusals,
  methods: trustedTransmitterMethods,
  whenOrganizationRemoved: removeTransmittersOf,
  whenProviderRemoved: removeTransmittersOfProvider,
})

export { findSender, takeEvent } from './apply-event.ts'
export { EVENTS_PATH } from './rpc.ts'
export { WrongEvent } from './verify-event.ts'
