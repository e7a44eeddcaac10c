/** The limits of the contract: protovalidate rules, read off the descriptors once. */
import type { DescMessage, Message } from '@bufbuild/protobuf'
import type { Path } from '@bufbuild/protobuf/reflect'
import { createValidator, type Violation as RuleViolation } from '@bufbuild/protovalidate'
import type { Violation } from '../kernel/refusal.ts'
import { invalidFields } from './errors.ts'

const validator = createValidator()

/** The check of a message type: throws `request.invalid` with every violated field. */
export const limitsOf = (schema: DescMessage): ((message: Message) => void) => {
  // The rules are compiled at the first request: doing it for every message at the start would double its time. That
  // they can be compiled is a test.
  return (message) => {
    const result = validator.validate(schema, message)
    if (result.kind === 'valid') return
    if (result.kind === 'error') throw result.error
    throw invalidFields(result.violations.map(violation))
  }
}

const violation = ({ field, message, forKey, ruleId }: RuleViolation): Violation => ({
  field: jsonPath(field),
  description: `${forKey ? 'key: ' : ''}${message === '' ? `breaks the rule ${ruleId}` : message}`,
})

/** The path as a JSON caller writes it: lowerCamelCase, list indexes in brackets. */
const jsonPath = (path: Path): string => {
  let text = ''
  for (const step of path) {
    switch (step.kind) {
      case 'field':
        text += `${text && '.'}${step.jsonName}`
        break
      case 'oneof':
        text += `${text && '.'}${step.localName}`
        break
      case 'list_sub':
        text += `[${step.index}]`
        break
      case 'map_sub':
        text += `.${step.key}`
        break
      case 'extension':
        text += `[${step.typeName}]`
    }
  }
  return text
}
