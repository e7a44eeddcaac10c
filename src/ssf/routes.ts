/** Where the endpoints of the Shared Signals Framework are. */

/** By the names that the metadata has for them. */
export const ENDPOINTS = {
  configuration_endpoint: '/ssf/v1/streams',
  status_endpoint: '/ssf/v1/status',
  add_subject_endpoint: '/ssf/v1/subjects:add',
  remove_subject_endpoint: '/ssf/v1/subjects:remove',
  verification_endpoint: '/ssf/v1/verification',
} as const

export const METADATA_PATH = '/.well-known/ssf-configuration'
/** Below it: the ID of a stream. */
export const POLL_PATH = '/ssf/v1/poll'

export const PUSH_METHOD = 'urn:ietf:rfc:8935'
export const POLL_METHOD = 'urn:ietf:rfc:8936'
