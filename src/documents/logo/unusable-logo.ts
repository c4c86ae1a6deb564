/** A file that cannot be a logo. The message is for its owner: what is wrong and what to do. */
export class UnusableLogo extends Error {}
