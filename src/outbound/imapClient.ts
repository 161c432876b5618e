// Imported late: a package in CommonJS has no names of its own when a bundle imports it late.
export { ImapFlow } from 'imapflow';
