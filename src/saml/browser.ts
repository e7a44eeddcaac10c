/** What the SAML endpoints need of the hosted pages. */
import type { PageAnswer, PageHeaders, PageRequest } from '../http/page.ts'

export interface SamlBrowser {
  /** The session token of the hosted pages that the browser has. */
  readSession(request: PageRequest): string | undefined
  /** The value by which the pages recognize a browser that they sent to an identity provider. */
  readBrowser(request: PageRequest): string | undefined
  /** The header that makes the browser forget its session. */
  forgetSession(request: PageRequest): PageHeaders
  /** A page that tells the user about an error. */
  errorPage(request: PageRequest, error: string, description: string | undefined, status?: number): PageAnswer
  /** A page that sends a form by itself. With the name of an application, it says that the user is signed out there. */
  formPage(request: PageRequest, url: string, fields: Readonly<Record<string, string>>, leaving?: string): PageAnswer
  /** A page that leads to an address by itself. */
  leadPage(request: PageRequest, url: string, leaving?: string): PageAnswer
  /** Counts an anonymous request that is stored; false: there were too many from this address of the network. */
  mayStartFrom(address: string): boolean
}

export function seeOther(location: string, headers: PageHeaders = {}): PageAnswer {
  return { status: 303, contentType: 'text/plain; charset=utf-8', body: '', headers: { location, ...headers } }
}
