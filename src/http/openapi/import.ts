/** The user import in the OpenAPI document: the only path whose request and response are streams. */
import type { DescService } from '@bufbuild/protobuf'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { NDJSON } from '../import/ndjson.ts'
import { exampleOf } from './examples.ts'
import type { Placed } from './operation.ts'
import { type Schema, type SchemaBook, schemaOfMessage } from './schema.ts'

function refer(name: string): Schema {
  return { $ref: `#/components/responses/${name}` }
}

const result: Schema = {
  type: 'object',
  description: 'The result of one line. Results come in the order of the lines.',
  required: ['line', 'status'],
  properties: {
    line: { type: 'integer', description: 'Number of the line, counted from 1, empty lines included.' },
    userId: { type: 'string' },
    status: { type: 'string', enum: ['created', 'exists', 'failed'] },
    emailCode: { type: 'string', description: 'Only with `returnCode` for the email address.' },
    phoneCode: { type: 'string', description: 'Only with `returnCode` for the phone number.' },
    error: {
      type: 'object',
      description:
        'Only if the line failed. Code 14: the import stopped; send this line and all following lines again.',
      required: ['code', 'id', 'message'],
      properties: {
        code: { type: 'integer', description: 'google.rpc.Code' },
        id: { type: 'string' },
        message: { type: 'string' },
        violations: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, description: { type: 'string' } },
          },
        },
      },
    },
  },
}

/** The operation, if the user service is served. */
export function importOperation(book: SchemaBook, services: readonly DescService[]): Placed | undefined {
  if (!services.includes(UserService)) return undefined
  const line = schemaOfMessage(book, UserService.method.addHumanUser.input)
  const example = `${JSON.stringify(exampleOf(UserService.method.addHumanUser))}\n`
  const operation = {
    operationId: 'user.v2.ImportHumanUsers',
    summary: 'Imports users in bulk: each line is an AddHumanUser request and gets one result.',
    tags: [UserService.typeName],
    description: 'Requires `user.write` in the organization of each line.',
    security: [{ bearer: [] }],
    'x-permission': 'user.write',
    parameters: [
      {
        name: 'skip',
        in: 'query',
        required: false,
        description: 'Number of lines to skip.',
        schema: { type: 'integer' },
      },
      { $ref: '#/components/parameters/OrganizationHeader' },
    ],
    requestBody: { required: true, content: { [NDJSON]: { schema: line, example } } },
    responses: {
      200: { description: 'One result per line.', content: { [NDJSON]: { schema: result } } },
      400: refer('Invalid'),
      401: refer('Unauthenticated'),
      403: refer('Forbidden'),
      429: refer('Exhausted'),
      default: refer('Unexpected'),
    },
  }
  return { path: '/v2/users/import', verb: 'post', operation }
}
