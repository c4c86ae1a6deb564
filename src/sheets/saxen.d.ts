/** The part of saxen that we use; the package has no types. */
declare module 'saxen' {
  type Attrs = Record<string, string>
  export class Parser {
    on(
      event: 'openTag',
      listener: (name: string, attrs: () => Attrs, decode: (text: string) => string) => void,
    ): this
    on(event: 'closeTag', listener: (name: string) => void): this
    on(event: 'text', listener: (text: string, decode: (text: string) => string) => void): this
    on(event: 'cdata', listener: (text: string) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    parse(xml: string): this
  }
}
