/** How the OpenAPI document describes what can go wrong. */
import type { Schema } from './schema.ts'

function detail(type: string, properties: Schema): Schema {
  return {
    type: 'object',
    required: ['@type'],
    properties: { '@type': { const: `type.googleapis.com/${type}` }, ...properties },
  }
}

const violations: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'JSON path of the field.' },
      description: { type: 'string' },
    },
  },
}

/** The error bodies of REST and of Connect. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  Error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer', format: 'int32', description: 'The gRPC status code.' },
      message: { type: 'string' },
      details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetails' } },
    },
  },
  ErrorDetails: {
    type: 'object',
    required: ['@type'],
    properties: { '@type': { type: 'string' } },
    anyOf: [
      detail('signet.v1.ErrorDetail', {
        id: { type: 'string', description: 'Stable code of the reason.' },
        message: { type: 'string' },
      }),
      detail('google.rpc.BadRequest', { fieldViolations: violations }),
      detail('google.rpc.RetryInfo', { retryDelay: { type: 'string' } }),
      { type: 'object' },
    ],
  },
  ConnectError: {
    type: 'object',
    required: ['code'],
    properties: {
      code: { type: 'string', description: 'Name of the status code, such as `invalid_argument`.' },
      message: { type: 'string' },
      details: {
        type: 'array',
        items: {
          type: 'object',
          required: ['type', 'value'],
          properties: {
            type: { type: 'string', description: 'Full name of the message.' },
            value: { type: 'string', contentEncoding: 'base64', description: 'The message in binary form.' },
            debug: { description: 'The message in JSON.' },
          },
        },
      },
    },
  },
}

function response(description: string, headers?: Schema): Schema {
  return {
    description,
    ...(headers ? { headers } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

/** The answers that every REST operation can give instead of success. */
export const errorResponses: Readonly<Record<string, Schema>> = {
  Invalid: response('The request breaks a rule (every field that does is named), or its precondition does not hold.'),
  Unauthenticated: response('No bearer token, or one that does not hold.', {
    'WWW-Authenticate': { schema: { type: 'string' } },
  }),
  Forbidden: response('The caller does not have the permission there.'),
  NotFound: response('The object does not exist.'),
  Conflict: response('It exists already, or another caller changed it at the same time.'),
  Exhausted: response('Too much at once, or too many attempts.', {
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  }),
  Unexpected: response('Any other error.'),
}
