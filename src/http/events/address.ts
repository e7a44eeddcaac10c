/** Where the event stream is, and what it is. */
export const EVENT_STREAM_PATH = '/v2/events/stream'
export const EVENT_STREAM_TYPE = 'text/event-stream'
