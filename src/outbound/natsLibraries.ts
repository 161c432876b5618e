// Imported late: a package in CommonJS has no names of its own when a bundle imports it late.
export * as stream from '@nats-io/jetstream';
export * as net from '@nats-io/transport-node';
