<?php

function send(string $method, string $url, string $key, string $body = ''): stdClass
{
    $header = ['Content-Type: application/json', "Authorization: Bearer $key"];
    $http = ['method' => $method, 'header' => $header, 'content' => $body];
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $http])));
}

/** A world of its own for one test: its url and its key */
function newSandbox(string $name): stdClass
{
    $server = getenv('UNDERSTUDY_URL') ?: exit("Run the tests with npx ./understudy-api-0.1.0.tgz exec --\n");
    return send('POST', "$server/__admin/sandboxes", '', json_encode(['name' => $name, 'ttl_s' => 600]));
}
