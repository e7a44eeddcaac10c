import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { resourcesOfProject } from './decider.ts'
import type { Resource } from './events.ts'

const orders: Resource = {
  id: 'a',
  uri: 'https://orders.example/',
  scopes: [{ key: 'orders.read', description: 'Read orders' }],
  isDefault: true,
}
const stock: Resource = { ...orders, id: 'b', uri: 'https://stock.example/', isDefault: false }

function setTo(...resources: readonly Resource[]) {
  return { type: 'resources.set.v1', data: { resources } } as const
}
function set(...resources: readonly Resource[]) {
  return { type: 'set', resources } as const
}

suite('resources of a project', () => {
  test('are set together, and the same ones again are no change', () => {
    given(resourcesOfProject).when(set(orders, stock)).then(setTo(orders, stock))
    given(resourcesOfProject, setTo(orders, stock)).when(set(orders, stock)).then()
    given(resourcesOfProject, setTo(orders, stock)).when(set(stock)).then(setTo(stock))
    given(resourcesOfProject).when(set()).then()
  })

  test('have no URI, ID, scope or type twice', () => {
    const twice = { key: 'orders.read', description: 'Again' }
    const type = { type: 'payment', description: 'Pay' }
    for (const resources of [
      [orders, { ...stock, uri: orders.uri }],
      [orders, { ...stock, uri: 'https://orders.example' }],
      [orders, { ...stock, id: orders.id }],
      [{ ...orders, scopes: [...orders.scopes, twice] }],
      [{ ...orders, types: [type, type] }],
    ]) {
      given(resourcesOfProject)
        .when(set(...resources))
        .thenRefused('resource.invalid')
    }
    given(resourcesOfProject)
      .when(set({ ...orders, types: [type] }, { ...stock, types: [type] }))
      .then(setTo({ ...orders, types: [type] }, { ...stock, types: [type] }))
  })

  test('have at most one default', () => {
    given(resourcesOfProject)
      .when(set(orders, { ...stock, isDefault: true }))
      .thenRefused('resource.invalid')
    given(resourcesOfProject).when(set(stock)).then(setTo(stock))
  })

  test('go with the project', () => {
    given(resourcesOfProject, setTo(orders)).when({ type: 'remove' }).then({ type: 'resources.removed.v1', data: {} })
  })
})
