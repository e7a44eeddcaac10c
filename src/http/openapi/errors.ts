/** The errors in the OpenAPI document. */
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

const links: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      description: { type: 'string' },
      url: { type: 'string', description: 'Where this server explains the error.' },
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
        id: { type: 'string', description: 'Stable error code.' },
        message: { type: 'string' },
      }),
      detail('signet.v1.CredentialsCheckError', {
        id: { type: 'string' },
        message: { type: 'string' },
        failedAttempts: { type: 'integer', format: 'int32', description: 'Consecutive wrong passwords of the user.' },
      }),
      detail('google.rpc.BadRequest', { fieldViolations: violations }),
      detail('google.rpc.RetryInfo', { retryDelay: { type: 'string' } }),
      detail('google.rpc.Help', { links }),
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

/** The error responses of all REST operations. */
export const errorResponses: Readonly<Record<string, Schema>> = {
  Invalid: response('The request is invalid (the details name every invalid field), or a precondition is not met.'),
  Unauthenticated: response('The bearer token is missing or invalid.', {
    'WWW-Authenticate': { schema: { type: 'string' } },
  }),
  Forbidden: response('The caller does not have the required permission.'),
  NotFound: response('The object does not exist.'),
  Conflict: response('The object already exists, or was changed by another request at the same time.'),
  Exhausted: response('Too many requests or too many failed attempts.', {
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  }),
  Unexpected: response('Any other error.'),
}
