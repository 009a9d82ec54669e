<?php

use PHPUnit\Framework\TestCase;

require 'sandbox.php';

final class SandboxTest extends TestCase
{
    /** @dataProvider contents */
    public function testStartsWithTheRowsOfTheWorld(string $content): void
    {
        $sandbox = newSandbox(__METHOD__);
        $annotations = "$sandbox->url/api/projects/1/annotations/";

        $created = send('POST', $annotations, $sandbox->key, json_encode(['content' => $content]));
        $page = send('GET', $annotations, $sandbox->key);

        $this->assertSame([$content, 7], [$created->content, $page->count]);
    }

    public static function contents(): array
    {
        return [['Launch'], ['Größer 🦔']];
    }
}
